package org.droidtest.probe;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileOutputStream;
import java.net.HttpCookie;
import java.nio.file.Files;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Calendar;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/** Asks for the date in every way, and shows those that do not give the device's. */
public final class ClocksActivity extends Screen {
    private interface DateSource {
        /** Milliseconds since 1970. */
        long read() throws Exception;
    }

    @Override
    void fill() {
        button(R.id.clocks, this::compare);
    }

    private void compare() {
        long now = System.currentTimeMillis();
        StringBuilder wrong = new StringBuilder();
        int asked = 0;
        for (Map.Entry<String, DateSource> source : sources().entrySet()) {
            asked++;
            try {
                long read = source.getValue().read();
                // ZIP counts in steps of two seconds.
                if (Math.abs(read - now) > 2_000) {
                    wrong.append(source.getKey()).append(": ").append(new Date(read)).append("; ");
                }
            } catch (Exception e) {
                wrong.append(source.getKey()).append(": ").append(e).append("; ");
            }
        }
        result(wrong.length() == 0 ? asked + " agree" : wrong.toString());
    }

    private Map<String, DateSource> sources() {
        Map<String, DateSource> sources = new LinkedHashMap<>();
        sources.put("new Date", () -> new Date().getTime());
        sources.put("new Date by reflection", () -> Date.class.getConstructor().newInstance().getTime());
        sources.put("Calendar", () -> ((Calendar) Calendar.class.getMethod("getInstance").invoke(null)).getTimeInMillis());
        sources.put("GregorianCalendar", () -> GregorianCalendar.class.getConstructor().newInstance().getTimeInMillis());
        sources.put("Calendar.Builder", () -> new Calendar.Builder().setInstant(new Date()).build().getTimeInMillis());
        sources.put("Instant.now", () -> Instant.now().toEpochMilli());
        sources.put("Instant.now by reflection", () -> ((Instant) Instant.class.getMethod("now").invoke(null)).toEpochMilli());
        sources.put("Clock.systemUTC", () -> Clock.systemUTC().millis());
        sources.put("the instant of Clock.systemUTC", () -> Clock.systemUTC().instant().toEpochMilli());
        sources.put("Clock.systemDefaultZone", () -> Clock.systemDefaultZone().instant().toEpochMilli());
        sources.put("a clock's tick", () -> Clock.tickSeconds(ZoneId.of("UTC")).millis());
        sources.put("LocalDateTime of a zone", () -> LocalDateTime.now(ZoneId.of("UTC")).atZone(ZoneId.of("UTC")).toInstant().toEpochMilli());
        sources.put("a written file", () -> written().lastModified());
        sources.put("a file's creation", () -> attributes().creationTime().toMillis());
        sources.put("a file's last access", () -> attributes().lastAccessTime().toMillis());
        sources.put("a file's change", () -> Files.getLastModifiedTime(written().toPath()).toMillis());
        sources.put("a folder", () -> {
            File folder = new File(getCacheDir(), "folder of clocks");
            folder.mkdirs();
            return folder.lastModified();
        });
        sources.put("a ZIP entry", ClocksActivity::zipped);
        sources.put("a cookie", () -> {
            HttpCookie cookie = new HttpCookie("a", "b");
            cookie.setMaxAge(1);
            return cookie.hasExpired() ? 0 : System.currentTimeMillis();
        });
        return sources;
    }

    private File written() throws Exception {
        File file = new File(getCacheDir(), "clocks");
        try (FileOutputStream out = new FileOutputStream(file)) {
            out.write(1);
        }
        return file;
    }

    private BasicFileAttributes attributes() throws Exception {
        return Files.readAttributes(written().toPath(), BasicFileAttributes.class);
    }

    private static long zipped() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream out = new ZipOutputStream(bytes)) {
            out.putNextEntry(new ZipEntry("a"));
        }
        try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return in.getNextEntry().getTime();
        }
    }
}
