package droidtest.tool;

import droidtest.host.Json;
import java.util.LinkedHashMap;
import java.util.Map;

/** The contents of {@code translate.json}: what the host and the tool need to know without reading the APK again. */
final class Summary {
  private Summary() {}

  static String of(Manifest manifest, DexClasses classes, boolean tableCorrected) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("package", manifest.packageName());
    out.put("application", manifest.application());
    out.put("component_factory", manifest.componentFactory());
    out.put("target_sdk", manifest.targetSdk());
    out.put("min_sdk", manifest.minSdk());
    out.put("classes", classes.count());
    out.put("methods_failed", classes.failedMethods());
    out.put("classes_failed", classes.failedClasses());
    out.put("methods_unprobed", classes.unprobedMethods());
    out.put("lines_known", classes.linesKnown());
    out.put("resource_table_corrected", tableCorrected);
    out.put("native_libraries", classes.nativeLibraries());
    return Json.write(out) + "\n";
  }
}
