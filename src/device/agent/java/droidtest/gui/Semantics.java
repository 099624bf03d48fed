package droidtest.gui;

import android.view.accessibility.AccessibilityNodeInfo;
import java.util.Locale;

/** What a virtual node is, which value it has, and where it is in a list: for reading, and part of no identity. */
final class Semantics {
  /** Where AndroidX keeps the role; the platform has no field for it. */
  private static final String ROLE = "AccessibilityNodeInfo.roleDescription";

  private Semantics() {}

  static void write(Page page, AccessibilityNodeInfo node) {
    CharSequence role = node.getExtras().getCharSequence(ROLE);
    if (role != null && role.length() > 0) {
      page.string("ro", role);
    }
    CharSequence pane = node.getPaneTitle();
    if (pane != null && pane.length() > 0) {
      page.pane(pane.toString());
    }
    AccessibilityNodeInfo.RangeInfo range = node.getRangeInfo();
    // An indicator that only says that something is going on has no limits.
    if (range != null && range.getMax() > range.getMin()) {
      page.string("ra", number(range.getCurrent()) + " (" + number(range.getMin()) + ".." + number(range.getMax()) + ')');
    }
    AccessibilityNodeInfo.CollectionInfo all = node.getCollectionInfo();
    if (all != null) {
      page.string("co", all.getRowCount() + "x" + all.getColumnCount());
    }
    AccessibilityNodeInfo.CollectionItemInfo item = node.getCollectionItemInfo();
    if (item != null) {
      page.string("ci", item.getRowIndex() + "," + item.getColumnIndex());
    }
  }

  /** At most three digits behind the point, and none if it is complete. */
  private static String number(float value) {
    float rounded = Math.round(value * 1000) / 1000f;
    return rounded == (long) rounded ? Long.toString((long) rounded) : String.format(Locale.ROOT, "%s", rounded);
  }
}
