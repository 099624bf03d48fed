import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.TreeMap;

/** Calls the static methods of a class whose names begin with t, and prints what each returns or throws. */
public class Run {
    public static void main(String[] names) throws Exception {
        var methods = new TreeMap<String, Method>();
        for (Method method : Class.forName(names[0]).getDeclaredMethods()) {
            if (Modifier.isStatic(method.getModifiers()) && method.getName().startsWith("t")) {
                methods.put(method.getName(), method);
            }
        }
        for (Method method : methods.values()) {
            try {
                System.out.println(method.getName() + " = " + show(method.invoke(null)));
            } catch (InvocationTargetException e) {
                System.out.println(method.getName() + " throws " + e.getCause().getClass().getName());
            }
        }
    }

    private static String show(Object value) {
        if (value == null || !value.getClass().isArray()) {
            return String.valueOf(value);
        }
        var text = new StringBuilder("[");
        for (int i = 0; i < Array.getLength(value); i++) {
            text.append(i == 0 ? "" : ", ").append(show(Array.get(value, i)));
        }
        return text.append("]").toString();
    }
}
