package org.droidtest.hostile;

/** A class that comes with the app as Java bytecode, which no translator has seen. */
public final class Loose {
  public static boolean reads(String file) throws Exception {
    return java.nio.file.Files.readString(java.nio.file.Path.of(file)).length() > 0;
  }
}
