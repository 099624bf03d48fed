package droidtest.framework;

import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Lets copies of a theme share what the theme has. Robolectric's copy has a new object for each of some thousand attributes,
 * and an empty table of 256 types for each of the 250 or so packages that the theme has nothing of: some 320 kB for
 * each activity, dialog and styled view. Apps with many activities on their back stack ran out of memory.
 */
final class Themes {
  /** The class that is changed. */
  static final String THEME = "org/robolectric/res/android/CppAssetManager2$Theme";
  private static final String PACKAGE = THEME + "$ThemePackage";
  private static final String TYPE = THEME + "$ThemeType";
  private static final String ENTRY = THEME + "$ThemeEntry";
  private static final String BAG_ENTRY = "org/robolectric/res/android/CppAssetManager2$ResolvedBag$Entry";
  private static final String MAKES = "(Lorg/robolectric/res/android/CppAssetManager2$1;)V";

  private Themes() {}

  /** The class as it is to be. */
  static byte[] changed(byte[] bytes) {
    byte[] sharing = OneMethod.changed(bytes, "SetTo(L" + THEME + ";)Z", Sharing::new);
    return OneMethod.changed(sharing, "ApplyStyle(IZ)Z", Replacing::new);
  }

  /** {@code SetTo}: no table instead of an empty one, and the other theme's entries instead of copies. */
  private static final class Sharing extends MethodVisitor {
    /** The other theme's entry. */
    private static final int THEIRS = 10;
    private static final int PLACES = 4;

    private final Runnable found;
    private int places;
    private boolean anyPackage;
    /** Left out: what is between a new object and its constructor, or the next field that is set. */
    private boolean making;
    private boolean setting;

    Sharing(MethodVisitor next, Runnable found) {
      super(Opcodes.ASM9, next);
      this.found = found;
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      boolean makes = opcode == Opcodes.NEW;
      if (makes && type.equals(PACKAGE) && !anyPackage) {
        // packages_[p] = new ThemePackage(), where the other theme has none
        anyPackage = true;
        making = true;
        super.visitInsn(Opcodes.ACONST_NULL);
      } else if (makes && type.equals(ENTRY)) {
        // newEntry = new ThemeEntry()
        making = true;
        super.visitVarInsn(Opcodes.ALOAD, THEIRS);
      } else {
        super.visitTypeInsn(opcode, type);
      }
    }

    @Override
    public void visitInsn(int opcode) {
      if (!making) {
        super.visitInsn(opcode);
      }
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String type, boolean isInterface) {
      if (making) {
        making = false;
        places++;
      } else if (name.equals("copy")) {
        // newEntry.value = entry.value.copy(): the values never change
        places++;
      } else {
        super.visitMethodInsn(opcode, owner, name, type, isInterface);
      }
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String type) {
      if (name.equals("NULL_VALUE")) {
        // newEntry.value = NULL_VALUE, where the other theme has no entry
        setting = true;
        super.visitInsn(Opcodes.POP);
        places++;
      } else if (setting) {
        setting = false;
      } else {
        super.visitFieldInsn(opcode, owner, name, type);
      }
    }

    @Override
    public void visitEnd() {
      if (places == PLACES) {
        found.run();
      }
      super.visitEnd();
    }
  }

  /** {@code ApplyStyle}: a new entry instead of a change of the one that copies of the theme may have, too. */
  private static final class Replacing extends MethodVisitor {
    private static final int THEME_TYPE = 7;
    private static final int INDEX = 14;
    private static final int OURS = 15;

    private final Runnable found;

    Replacing(MethodVisitor next, Runnable found) {
      super(Opcodes.ASM9, next);
      this.found = found;
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String type) {
      if (owner.equals(BAG_ENTRY) && name.equals("cookie")) {
        // entry.cookie = bag_iter.cookie is the first of the changes: both objects are on the stack
        found.run();
        super.visitInsn(Opcodes.SWAP);
        super.visitInsn(Opcodes.POP);
        replace();
        super.visitVarInsn(Opcodes.ALOAD, OURS);
        super.visitInsn(Opcodes.SWAP);
      }
      super.visitFieldInsn(opcode, owner, name, type);
    }

    /** {@code entry = type.entries[index] = a new one with the flags of the old one} */
    private void replace() {
      super.visitTypeInsn(Opcodes.NEW, ENTRY);
      super.visitInsn(Opcodes.DUP);
      super.visitInsn(Opcodes.ACONST_NULL);
      super.visitMethodInsn(Opcodes.INVOKESPECIAL, ENTRY, "<init>", MAKES, false);
      super.visitInsn(Opcodes.DUP);
      super.visitVarInsn(Opcodes.ALOAD, OURS);
      super.visitFieldInsn(Opcodes.GETFIELD, ENTRY, "type_spec_flags", "I");
      super.visitFieldInsn(Opcodes.PUTFIELD, ENTRY, "type_spec_flags", "I");
      super.visitVarInsn(Opcodes.ASTORE, OURS);
      super.visitVarInsn(Opcodes.ALOAD, THEME_TYPE);
      super.visitFieldInsn(Opcodes.GETFIELD, TYPE, "entries", "[L" + ENTRY + ";");
      super.visitVarInsn(Opcodes.ILOAD, INDEX);
      super.visitVarInsn(Opcodes.ALOAD, OURS);
      super.visitInsn(Opcodes.AASTORE);
    }
  }
}
