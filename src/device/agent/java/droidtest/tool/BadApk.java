package droidtest.tool;

import java.io.IOException;

/** The file is not an APK that can be run; the message says why, in one line. */
final class BadApk extends IOException {
  private static final long serialVersionUID = 1;

  BadApk(String why) {
    super(why);
  }
}
