package droidtest.app;

import org.junit.Test;
import org.robolectric.annotation.ConscryptMode;
import org.robolectric.annotation.GraphicsMode;
import org.robolectric.annotation.LooperMode;
import org.robolectric.annotation.SQLiteMode;

/**
 * What JUnit runs: one test is one process life. Nothing but {@link Life} is mentioned here, since JUnit also looks at
 * this class outside the sandbox.
 */
@LooperMode(LooperMode.Mode.PAUSED)
@GraphicsMode(GraphicsMode.Mode.NATIVE)
@SQLiteMode(SQLiteMode.Mode.NATIVE)
@ConscryptMode(ConscryptMode.Mode.OFF)
public class Session {
  @Test
  public void life() throws Exception {
    new Life().run();
  }
}
