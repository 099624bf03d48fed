package org.droidtest.outside;

import android.os.Environment;
import android.content.pm.ApplicationInfo;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.content.res.Configuration;
import android.graphics.RuntimeShader;
import android.hardware.Sensor;
import android.hardware.SensorManager;
import android.hardware.camera2.CameraManager;
import android.media.MediaCodecList;
import android.os.Build;
import java.io.File;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What Android does and Java does not, or not so. */
public final class TruthActivity extends Screen {
    @Override
    void fill() {
        button(R.id.comments, () -> result("" + Pattern.compile("(?#a year)(\\d+)(?w)-x").matcher("1984-x").matches()));
        button(R.id.names, this::names);
        button(R.id.sets, this::sets);
        button(R.id.unicode, this::unicode);
        button(R.id.strings, this::strings);
        button(R.id.pattern, this::pattern);
        button(R.id.refused, this::refused);
        button(R.id.roots, this::roots);
        button(R.id.above, this::above);
        button(R.id.getters, this::getters);
        button(R.id.shader, this::shader);
        button(R.id.surroundings, this::surroundings);
    }

    private void names() {
        StringBuilder text = new StringBuilder();
        String[][] all = {
            {"\\p{Letter}+", "é"}, {"\\p{Latin}+", "é"}, {"\\p{script=Greek}", "α"}, {"\\p{uppercase letter}", "A"},
            {"\\P{Decimal_Number}", "x"}, {"\\p{gc=Lu}", "B"}, {"\\p{White_Space}", " "}, {"\\p{Alphabetic}", "a"},
            {"[\\p{Han}\\p{Hiragana}]", "水"}, {"\\p{^Lu}", "a"},
        };
        for (String[] one : all) {
            try {
                text.append(Pattern.matches(one[0], one[1])).append(' ');
            } catch (RuntimeException e) {
                text.append(e.getMessage()).append(' ');
            }
        }
        result(text.toString().trim());
    }

    private void sets() {
        boolean union = "b".matches("[[a][b]]");
        boolean posix = "x7".matches("[[:alpha:]][[:digit:]]") && !":".matches("[[:alpha:]]");
        boolean difference = "b".matches("[a-z--[aeiou]]") && !"e".matches("[a-z--[aeiou]]");
        boolean possessive = !"aa".matches("a*+a");
        boolean kept = "--".matches("\\Q--\\E") && "(?#".matches("\\(\\?#");
        result(union + " " + posix + " " + difference + " " + possessive + " " + kept);
    }

    /** Android's classes are always those of Unicode. */
    private void unicode() {
        Matcher words = Pattern.compile("\\w+").matcher("naïve");
        boolean whole = words.matches();
        boolean digits = "٣".matches("\\d");
        boolean cases = Pattern.compile("É", Pattern.CASE_INSENSITIVE).matcher("é").matches();
        result(whole + " " + digits + " " + cases);
    }

    private void strings() {
        result(
                "a1b22c".replaceAll("(?#digits)\\d+", "-")
                        + " " + "a1b2".replaceFirst("\\d(?#one)", "")
                        + " " + Arrays.toString("a, b;c".split("[,;](?#mark)\\s*"))
                        + " " + Arrays.toString("a.b.c".split("\\.", 2)));
    }

    /** What was given is what is told. */
    private void pattern() {
        Pattern pattern = Pattern.compile("(?#x)\\p{Letter}", Pattern.DOTALL);
        String wrong;
        try {
            Pattern.compile("(?#x)(");
            wrong = "none";
        } catch (java.util.regex.PatternSyntaxException e) {
            wrong = e.getPattern();
        }
        result(pattern.pattern() + " " + pattern.flags() + " " + wrong);
    }

    /** What Android's engine compiles, and what it refuses, one by one. */
    private void refused() {
        StringBuilder wrong = new StringBuilder();
        String[] right = {
            "a]b", "\\{.*\\}", "[\\w-]+", "(?<year>\\d{4})-\\k<year>", "(?<=a{1,3})b", "[a-z&&[^b]]", "(?i)a(?-i:b)", "\\Qa}\\E", "[{}]",
            "[^]]", "a{2,}+", "\\x{1F600}", "(?x) # {", "x(?#})y",
        };
        for (String one : right) {
            try {
                Pattern.compile(one);
            } catch (java.util.regex.PatternSyntaxException e) {
                wrong.append(one).append(' ');
            }
        }
        String[] bad = {
            "\\{.*}", "a}", "{a}", "\\{{name}\\}", "a{,3}", "[a", "(a", "a)", "*a", "a**", "[z-a]", "\\y", "\\pL", "\\b+", "(?<=a+)b", "(?U)a",
            "\\2(a)", "(?<a>x)(?<a>y)", "\\", "a{3,2}",
        };
        for (String one : bad) {
            try {
                Pattern.compile(one);
                wrong.append("not ").append(one).append(' ');
            } catch (java.util.regex.PatternSyntaxException e) {
                // As on Android.
            }
        }
        wrong.append("a}b}".split("}").length).append("a}b}".replaceAll("[}]", "").length());
        try {
            "a}b}".split("b}");
            wrong.append(" not split");
        } catch (java.util.regex.PatternSyntaxException e) {
            wrong.append(' ').append(e.getPattern()).append(' ').append(e.getIndex());
        }
        result(wrong.toString());
    }

    private void roots() {
        File[] roots = new File("/").listFiles();
        if (roots == null) {
            result("no roots");
            return;
        }
        TreeSet<String> names = new TreeSet<>();
        for (File root : roots) {
            names.add(root.getName());
        }
        boolean data = new File("/data").exists() && new File("/data").listFiles() == null && !new File("/data").canRead();
        boolean shared = new File("/storage/emulated/0/Pictures").list() != null;
        boolean passwd = new File("/etc/passwd").exists();
        result(names.contains("system") + " " + names.contains("sdcard") + " " + data + " " + shared + " " + passwd);
    }

    /** The folders above those of the app's, up to the root. */
    private void above() {
        StringBuilder text = new StringBuilder();
        for (File at = Environment.getExternalStorageDirectory(); at != null; at = at.getParentFile()) {
            text.append(at).append(' ');
        }
        text.append(getDataDir().getParent()).append(' ').append(getDataDir().toPath().getParent());
        result(text.toString());
    }

    /** Names what is missing here and on no phone. */
    private interface Check {
        boolean holds() throws Exception;
    }

    private final StringBuilder missing = new StringBuilder();

    private void check(String what, Check check) {
        try {
            if (!check.holds()) {
                missing.append(' ').append(what);
            }
        } catch (Exception e) {
            missing.append(' ').append(what).append(": ").append(e);
        }
    }

    private void fields(Class<?> type) throws Exception {
        for (Field field : type.getFields()) {
            if (field.get(null) == null) {
                missing.append(' ').append(type.getSimpleName()).append('.').append(field.getName());
            }
        }
    }

    private void getters() {
        missing.setLength(0);
        check("build", () -> {
            fields(Build.class);
            fields(Build.VERSION.class);
            return true;
        });
        SensorManager sensors = (SensorManager) getSystemService(SENSOR_SERVICE);
        check("sensors", () -> !sensors.getSensorList(Sensor.TYPE_ALL).isEmpty());
        check("no such sensor", () -> sensors.getSensorList(Sensor.TYPE_HEART_BEAT).isEmpty());
        check("gyroscope", () -> sensors.getSensorList(Sensor.TYPE_GYROSCOPE).size() == 1);
        check("sensor names", () -> {
            for (Sensor sensor : sensors.getSensorList(Sensor.TYPE_ALL)) {
                if (sensor.getName() == null || sensor.getVendor() == null || sensor.getStringType() == null) {
                    return false;
                }
            }
            return true;
        });
        check("codecs", () -> {
            android.media.MediaCodecInfo[] all = new MediaCodecList(MediaCodecList.ALL_CODECS).getCodecInfos();
            return all.length > 0 && all[0].getName() != null && all[0].getSupportedTypes().length > 0;
        });
        check("cameras", () -> ((CameraManager) getSystemService(CAMERA_SERVICE)).getCameraIdList().length > 0);
        PackageManager packages = getPackageManager();
        check("permissions", () -> {
            PackageInfo info = packages.getPackageInfo(getPackageName(), PackageManager.GET_PERMISSIONS);
            return (info.requestedPermissionsFlags[0] & PackageInfo.REQUESTED_PERMISSION_GRANTED) != 0
                    && info.requestedPermissions.length == info.requestedPermissionsFlags.length;
        });
        check("package", () -> {
            PackageInfo info = packages.getPackageInfo(getPackageName(), 0);
            return info.versionName != null && info.applicationInfo != null && info.firstInstallTime > 0 && info.lastUpdateTime > 0;
        });
        check("application", () -> {
            ApplicationInfo info = getApplicationInfo();
            return info.sourceDir != null && info.publicSourceDir != null && info.nativeLibraryDir != null
                    && info.processName != null && info.dataDir != null && info.loadLabel(packages) != null;
        });
        check("source", () -> packages.getInstallSourceInfo(getPackageName()) != null);
        check("process", () -> android.app.Application.getProcessName() != null);
        check("network", () -> getSystemService(android.net.wifi.WifiManager.class).getConnectionInfo() != null);
        check("operator", () -> {
            android.telephony.TelephonyManager phone = getSystemService(android.telephony.TelephonyManager.class);
            return phone.getNetworkOperatorName() != null && phone.getNetworkCountryIso() != null && phone.getSimCountryIso() != null;
        });
        check("accounts", () -> android.accounts.AccountManager.get(this).getAccounts() != null);
        check("input methods", () -> getSystemService(android.view.inputmethod.InputMethodManager.class).getEnabledInputMethodList() != null);
        check("processes", () -> getSystemService(android.app.ActivityManager.class).getRunningAppProcesses() != null);
        check("accessibility", () -> getSystemService(android.view.accessibility.AccessibilityManager.class).getEnabledAccessibilityServiceList(-1) != null);
        check("volumes", () -> !getSystemService(android.os.storage.StorageManager.class).getStorageVolumes().isEmpty());
        check("external folders", () -> getExternalFilesDirs(null)[0] != null && getExternalCacheDir() != null && getObbDir() != null);
        check("displays", () -> getSystemService(android.hardware.display.DisplayManager.class).getDisplays().length > 0);
        check("modes", () -> getWindowManager().getDefaultDisplay().getSupportedModes().length > 0);
        check("mime types", () -> "image/png".equals(android.webkit.MimeTypeMap.getSingleton().getMimeTypeFromExtension("png")));
        check("locales", () -> !android.os.LocaleList.getDefault().isEmpty());
        check("android id", () -> android.provider.Settings.Secure.getString(getContentResolver(), "android_id") != null);
        check("ringtone", () -> android.media.RingtoneManager.getActualDefaultRingtoneUri(this, 1) != null);
        check("downloads", () -> getSystemService(android.app.DownloadManager.class).query(new android.app.DownloadManager.Query()) != null);
        check("clipboard", () -> !getSystemService(android.content.ClipboardManager.class).hasPrimaryClip());
        check("vibrator", () -> getSystemService(android.os.Vibrator.class).hasVibrator());
        check("power", () -> !getSystemService(android.os.PowerManager.class).isPowerSaveMode());
        check("biometrics", () -> getSystemService(android.hardware.biometrics.BiometricManager.class) != null);
        check("shortcuts", () -> getSystemService(android.content.pm.ShortcutManager.class).getMaxShortcutCountPerActivity() > 0);
        check("launcher apps", () -> !packages.queryIntentActivities(new android.content.Intent(android.content.Intent.ACTION_MAIN).addCategory("android.intent.category.LAUNCHER"), 0).isEmpty());
        check("web view", () -> android.webkit.WebSettings.getDefaultUserAgent(this) != null);
        result("missing:" + missing);
    }

    private void surroundings() {
        Configuration now = getResources().getConfiguration();
        boolean night = (now.uiMode & Configuration.UI_MODE_NIGHT_MASK) == Configuration.UI_MODE_NIGHT_YES;
        result(
                "night " + night + " text " + now.fontScale + " " + now.getLocales().get(0) + " " + java.util.Locale.getDefault()
                        + " " + java.util.TimeZone.getDefault().getID() + " trims " + App.trims + " process " + App.STARTS.size());
        App.STARTS.add("asked");
    }

    private void shader() {
        try {
            RuntimeShader shader =
                    new RuntimeShader(
                            "layout(color) uniform half4 tint;\nuniform float2 size;\n"
                                    + "half4 main(float2 at) { return tint * (at.x / size.x); }");
            shader.setColorUniform("tint", 0xff3366cc);
            shader.setFloatUniform("size", 10f, 10f);
            result("shader");
        } catch (RuntimeException e) {
            result("failed: " + e);
        }
    }
}
