package droidtest.tool;

import org.objectweb.asm.ClassWriter;

/** Writes class files with stack map frames worked out from the app's hierarchy; no class is loaded for it. */
final class Frames extends ClassWriter {
  private final Hierarchy hierarchy;

  Frames(Hierarchy hierarchy) {
    super(COMPUTE_FRAMES);
    this.hierarchy = hierarchy;
  }

  @Override
  protected String getCommonSuperClass(String one, String other) {
    return hierarchy.commonSuperclass(one, other);
  }
}
