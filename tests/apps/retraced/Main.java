package p;
public class Main {
    static int depth(int n) {
        if (n == 0) {
            int[] none = new int[0];
            return
                none[n];
        }
        return helper(n)
            + 1;
    }
    static int helper(int n) {
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < 3; i++) {
            b.append(i);
            if (b.length() > 100) {
                throw new IllegalStateException(
                    "x");
            }
        }
        return depth(n - 1);
    }
    public static void main(String[] args) {
        try {
            System.out.println(depth(args.length + 3));
        } catch (ArrayIndexOutOfBoundsException e) {
            for (StackTraceElement f : e.getStackTrace()) System.out.println("    at " + f.getClassName() + "." + f.getMethodName() + "(" + (f.getFileName() == null ? "Unknown Source" : f.getFileName()) + ":" + f.getLineNumber() + ")");
        }
    }
}
