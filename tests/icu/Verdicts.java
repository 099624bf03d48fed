package droidtest.host.box;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Reads patterns (the flag for comments, then UTF-16 in hexadecimal), and writes whether the device refuses each. */
public final class Verdicts {
    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        PrintStream out = new PrintStream(System.out, false, "UTF-8");
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            StringBuilder pattern = new StringBuilder();
            for (int i = 2; i + 4 <= line.length(); i += 4) {
                pattern.append((char) Integer.parseInt(line.substring(i, i + 4), 16));
            }
            try {
                IcuSyntax.check(pattern.toString(), line.startsWith("1"));
                out.println();
            } catch (IcuReader.Refused e) {
                out.println(e.getMessage());
            }
        }
        out.flush();
    }
}
