package droidtest.host.box;

/** Unwinds a thread whose process has ended: {@code System.exit} here, the death of the complete process on a device. */
public final class ProcessExit extends ThreadDeath {
  private static final long serialVersionUID = 1;

  private final String how;

  ProcessExit(String how) {
    this.how = how;
  }

  @Override
  public String getMessage() {
    return how;
  }
}
