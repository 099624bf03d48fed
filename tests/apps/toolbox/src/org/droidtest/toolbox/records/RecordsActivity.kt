package org.droidtest.toolbox.records

import android.widget.EditText
import java.sql.Connection
import java.sql.Driver
import java.util.Properties
import org.droidtest.toolbox.Texts
import org.droidtest.toolbox.ui.ToolActivity

/** A table in an embedded database. */
class RecordsActivity : ToolActivity() {
    private lateinit var connection: Connection
    private lateinit var query: EditText
    private lateinit var name: EditText

    override fun build() {
        query = field("SQL", "select name, length(name) as n from item where id > 3 order by n desc")
        name = field("name")
        buttons(
            "Query" to { show(query(query.text.toString())) },
            "Insert" to { insert(name.text.toString()); show(query(ALL)) },
            "Totals" to { show(query("select left(name, 1) as letter, count(*) from item group by letter order by 2 desc")) },
            "Explain" to { show(query("explain ${query.text}")) },
        )
    }

    override fun opened() {
        val driver = Class.forName("org.h2.Driver").getDeclaredConstructor().newInstance() as Driver
        connection = driver.connect("jdbc:h2:mem:", Properties())
        connection.createStatement().use { it.execute("create table item(id identity primary key, name varchar(200))") }
        Texts.lines.forEach(::insert)
        show(query(ALL))
    }

    private fun insert(name: String) = connection.prepareStatement("insert into item(name) values (?)").use {
        it.setString(1, name)
        it.executeUpdate()
    }

    private fun query(sql: String): List<String> = connection.createStatement().use { statement ->
        val rows = statement.executeQuery(sql)
        val columns = 1..rows.metaData.columnCount
        generateSequence { if (rows.next()) columns.joinToString { rows.getString(it) ?: "-" } else null }.toList()
    }

    override fun onDestroy() {
        connection.close()
        super.onDestroy()
    }

    private companion object {
        const val ALL = "select * from item"
    }
}
