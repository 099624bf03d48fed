package droidtest.host;

import org.robolectric.internal.bytecode.InstrumentationConfiguration;
import org.robolectric.util.ReflectionHelpers;

/**
 * Which classes live in the sandbox. Robolectric leaves everything under {@code javax.} outside, where OpenGL's native
 * methods would be looked for in earnest.
 */
final class SandboxClasses extends InstrumentationConfiguration {
  SandboxClasses(InstrumentationConfiguration from) {
    super(
        ReflectionHelpers.getField(from, "classNameTranslations"),
        ReflectionHelpers.getField(from, "interceptedMethods"),
        ReflectionHelpers.getField(from, "instrumentedPackages"),
        ReflectionHelpers.getField(from, "instrumentedClasses"),
        ReflectionHelpers.getField(from, "classesToNotAcquire"),
        ReflectionHelpers.getField(from, "packagesToNotAcquire"),
        ReflectionHelpers.getField(from, "classesToNotInstrument"),
        ReflectionHelpers.getField(from, "packagesToNotInstrument"),
        ReflectionHelpers.getField(from, "classesToNotInstrumentRegex"));
  }

  /** Whether the framework's jar has this class as the sandbox is to have it, and no other jar has it. */
  static boolean ofFramework(String name) {
    return name.startsWith("android.") || name.startsWith("com.android.internal.") || name.startsWith("libcore.");
  }

  @Override
  public boolean shouldAcquire(String name) {
    return name.startsWith("javax.microedition.khronos.") || super.shouldAcquire(name);
  }
}
