package droidtest.gui;

import android.view.KeyCharacterMap;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadows.ShadowKeyCharacterMap;

/** Robolectric's keyboard knows letters and digits but does not offer them to fields that take only some characters. */
@Implements(value = KeyCharacterMap.class)
public class Keys extends ShadowKeyCharacterMap {
  @RealObject private KeyCharacterMap real;

  /** The first of the allowed characters that the key has, 0 if it has none. */
  @Implementation
  protected char getMatch(int keyCode, char[] chars, int metaState) {
    char plain = (char) real.get(keyCode, metaState);
    char label = real.getDisplayLabel(keyCode);
    for (char found : new char[] {plain, label, Character.toLowerCase(label)}) {
      for (char allowed : chars) {
        if (found != 0 && found == allowed) {
          return found;
        }
      }
    }
    return 0;
  }
}
