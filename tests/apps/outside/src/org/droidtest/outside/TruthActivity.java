package org.droidtest.outside;

import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.graphics.RuntimeShader;
import android.hardware.Sensor;
import android.hardware.SensorManager;
import android.hardware.camera2.CameraManager;
import android.media.MediaCodecList;
import android.os.Build;
import java.io.File;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.List;
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
        button(R.id.roots, this::roots);
        button(R.id.getters, this::getters);
        button(R.id.shader, this::shader);
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

    private void getters() {
        StringBuilder text = new StringBuilder();
        try {
            for (Field field : Build.class.getFields()) {
                if (field.get(null) == null) {
                    text.append("Build.").append(field.getName()).append(' ');
                }
            }
            for (Field field : Build.VERSION.class.getFields()) {
                if (field.get(null) == null) {
                    text.append("VERSION.").append(field.getName()).append(' ');
                }
            }
            SensorManager sensors = (SensorManager) getSystemService(SENSOR_SERVICE);
            List<Sensor> all = sensors.getSensorList(Sensor.TYPE_ALL);
            if (all == null || sensors.getSensorList(Sensor.TYPE_GYROSCOPE) == null) {
                text.append("sensors ");
            } else if (all.isEmpty()) {
                text.append("no sensor ");
            } else {
                for (Sensor sensor : all) {
                    if (sensor.getName() == null || sensor.getVendor() == null || sensor.getStringType() == null) {
                        text.append("sensor ").append(sensor.getType()).append(' ');
                    }
                }
            }
            if (new MediaCodecList(MediaCodecList.ALL_CODECS).getCodecInfos().length == 0) {
                text.append("codecs ");
            }
            String[] cameras = ((CameraManager) getSystemService(CAMERA_SERVICE)).getCameraIdList();
            if (cameras == null) {
                text.append("cameras ");
            }
            PackageInfo info = getPackageManager().getPackageInfo(getPackageName(), PackageManager.GET_PERMISSIONS);
            if (info.requestedPermissions == null || info.requestedPermissionsFlags == null) {
                text.append("permissions ");
            } else if ((info.requestedPermissionsFlags[0] & PackageInfo.REQUESTED_PERMISSION_GRANTED) == 0) {
                text.append("ungranted ");
            }
            if (info.versionName == null || info.applicationInfo == null || info.firstInstallTime == 0 || info.lastUpdateTime == 0) {
                text.append("package ").append(info.firstInstallTime).append(' ');
            }
            if (info.applicationInfo.sourceDir == null || info.applicationInfo.publicSourceDir == null
                    || info.applicationInfo.nativeLibraryDir == null || info.applicationInfo.processName == null
                    || info.applicationInfo.dataDir == null) {
                text.append("application ");
            }
            if (getPackageManager().getInstallSourceInfo(getPackageName()) == null) {
                text.append("source ");
            }
        } catch (Exception e) {
            text.append(e);
        }
        result("missing: " + text.toString().trim());
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
