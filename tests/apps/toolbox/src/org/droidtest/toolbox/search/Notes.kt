package org.droidtest.toolbox.search

import org.apache.lucene.analysis.en.EnglishAnalyzer
import org.apache.lucene.document.Document
import org.apache.lucene.document.Field
import org.apache.lucene.document.TextField
import org.apache.lucene.index.DirectoryReader
import org.apache.lucene.index.IndexWriter
import org.apache.lucene.index.IndexWriterConfig
import org.apache.lucene.index.SerialMergeScheduler
import org.apache.lucene.index.Term
import org.apache.lucene.queryparser.classic.QueryParser
import org.apache.lucene.search.BooleanClause
import org.apache.lucene.search.BooleanQuery
import org.apache.lucene.search.FuzzyQuery
import org.apache.lucene.search.IndexSearcher
import org.apache.lucene.search.Query
import org.apache.lucene.store.ByteBuffersDirectory

/** An index of notes in memory. */
class Notes {
    private val analyzer = EnglishAnalyzer()
    private val directory = ByteBuffersDirectory()
    private val writer = IndexWriter(
        directory,
        IndexWriterConfig(analyzer).setMergeScheduler(SerialMergeScheduler()),
    )

    fun add(text: String) {
        val note = Document()
        note.add(TextField(TEXT, text, Field.Store.YES))
        writer.addDocument(note)
        writer.commit()
    }

    fun count(): Int = DirectoryReader.open(writer).use { it.numDocs() }

    /** In Lucene's syntax. */
    fun search(query: String): List<String> = found(QueryParser(TEXT, analyzer).parse(query))

    /** Notes with words that differ in up to two letters. */
    fun like(words: String): List<String> {
        val all = BooleanQuery.Builder()
        for (word in words.lowercase().split(' ').filter(String::isNotEmpty)) {
            all.add(FuzzyQuery(Term(TEXT, word), 2), BooleanClause.Occur.SHOULD)
        }
        return found(all.build())
    }

    private fun found(query: Query): List<String> = DirectoryReader.open(writer).use { reader ->
        val searcher = IndexSearcher(reader)
        searcher.search(query, 20).scoreDocs.map { hit ->
            "%.2f %s".format(hit.score, searcher.doc(hit.doc)[TEXT])
        }
    }

    fun close() {
        writer.close()
        directory.close()
    }

    private companion object {
        const val TEXT = "text"
    }
}
