package org.droidtest.hostile;

import static java.lang.invoke.MethodType.methodType;

import android.app.Activity;
import android.app.Instrumentation;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Attempts to use the classes of the device's agent, to speak to the tool in its place, and to bring code of one's own. */
final class Agent {
  private static final String WIRE = "droidtest.host.Wire";
  private static final String SESSION = "droidtest.app.Session";
  private static final String LOOSE = "org.droidtest.hostile.Loose";
  /** A finding that never was. */
  private static final String FORGED =
      "{\"notice\":\"fatal\",\"text\":\"forged\"}";

  private Agent() {}

  private static boolean has(ClassLoader loader, String name) throws Exception {
    return loader != null && loader.loadClass(name) != null;
  }

  static Escape.Attempt attempt(String name, Activity activity) {
    switch (name) {
      case "agent_by_name": return () -> Class.forName(WIRE) != null;
      case "agent_by_loader": return () -> has(Agent.class.getClassLoader(), WIRE);
      case "agent_by_parent": return () -> has(Agent.class.getClassLoader().getParent(), SESSION);
      case "agent_by_framework": return () -> has(Activity.class.getClassLoader(), SESSION);
      case "agent_by_framework_name": return () -> Class.forName(SESSION, false, Activity.class.getClassLoader()) != null;
      case "agent_by_thread": return () -> has(Thread.currentThread().getContextClassLoader(), WIRE);
      case "agent_by_threads": return () -> {
        for (Thread each : Thread.getAllStackTraces().keySet()) {
          try {
            if (has(each.getContextClassLoader(), WIRE)) {
              return true;
            }
          } catch (ClassNotFoundException e) {
            // The next.
          }
        }
        return false;
      };
      case "agent_by_system": return () -> has(ClassLoader.getSystemClassLoader(), WIRE);
      case "agent_by_reflection": return () ->
          has((ClassLoader) Class.class.getMethod("getClassLoader").invoke(Activity.class), SESSION);
      case "agent_by_system_reflected": return () ->
          has((ClassLoader) ClassLoader.class.getMethod("getSystemClassLoader").invoke(null), WIRE);
      case "agent_by_handle": return () -> {
        MethodHandle get = MethodHandles.lookup().findVirtual(Class.class, "getClassLoader", methodType(ClassLoader.class));
        return has((ClassLoader) get.invoke(Activity.class), SESSION);
      };
      case "agent_by_object": return () -> {
        Field field = Activity.class.getDeclaredField("mInstrumentation");
        field.setAccessible(true);
        Instrumentation ours = (Instrumentation) field.get(activity);
        return has(ours.getClass().getClassLoader(), SESSION);
      };
      case "agent_by_robolectric": return () ->
          has((ClassLoader) Class.forName("org.robolectric.internal.bytecode.RobolectricInternals")
              .getMethod("getClassLoader").invoke(null), SESSION);
      case "agent_by_stream": return () -> deserialized(WIRE);
      case "agent_listener": return () -> {
        Class<?> box = Class.forName("droidtest.host.box.Process");
        box.getMethod("limit", String.class, String.class).invoke(null, "forged", "forged");
        return true;
      };
      case "agent_clock": return () -> {
        Class.forName("droidtest.host.box.Clock").getMethod("moveDate", long.class).invoke(null, 1L);
        return true;
      };
      case "agent_coverage_file": return () -> {
        Class.forName("droidtest.host.Probes").getMethod("writeExec", java.io.OutputStream.class)
            .invoke(null, new ByteArrayOutputStream());
        return true;
      };
      case "class_defined": return () -> runs(new Definer().define(loose(activity)));
      case "class_by_url": return () -> {
        Path file = activity.getFilesDir().toPath().resolve("org/droidtest/hostile/Loose.class");
        Files.createDirectories(file.getParent());
        Files.write(file, loose(activity));
        URL folder = activity.getFilesDir().toURI().toURL();
        return runs(new URLClassLoader(new URL[] {folder}, Agent.class.getClassLoader()).loadClass(LOOSE));
      };
      case "class_by_handle": return () -> {
        MethodHandle define = MethodHandles.lookup().findVirtual(
            MethodHandles.Lookup.class, "defineClass", methodType(Class.class, byte[].class));
        return reached(() -> define.invokeWithArguments(MethodHandles.lookup(), loose(activity)));
      };
      case "class_by_found_handle": return () -> {
        MethodHandle find = MethodHandles.lookup().unreflect(
            MethodHandles.Lookup.class.getMethod("defineClass", byte[].class));
        return reached(() -> find.invokeWithArguments(MethodHandles.lookup(), loose(activity)));
      };
      case "class_by_lookup": return () -> {
        return reached(() ->
            MethodHandles.Lookup.class.getMethod("defineClass", byte[].class).invoke(MethodHandles.lookup(), loose(activity)));
      };
      case "java_internals": return () -> Class.forName("jdk.internal.access.SharedSecrets") != null;
      case "wire_standard_input": return () -> {
        FileOutputStream wire = new FileOutputStream(FileDescriptor.in);
        wire.write(frame());
        wire.flush();
        return true;
      };
      case "wire_descriptor": return () -> sent(number -> {
        Constructor<FileDescriptor> make = FileDescriptor.class.getDeclaredConstructor(int.class);
        make.setAccessible(true);
        return make.newInstance(number);
      });
      case "wire_opened": return () -> Files.write(Around.raw("/proc/self/fd/0"), frame()) != null;
      default: return null;
    }
  }

  private interface Definition {
    Object make() throws Throwable;
  }

  /** Whether Java defined a class, or would have, but for one of that name. */
  private static boolean reached(Definition definition) throws Throwable {
    try {
      return definition.make() != null;
    } catch (LinkageError e) {
      return true;
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof LinkageError) {
        return true;
      }
      throw e;
    }
  }

  private interface Opener {
    FileDescriptor open(int number) throws Exception;
  }

  /** Writes to everything that this process has open. */
  private static boolean sent(Opener opener) throws Exception {
    boolean sent = false;
    for (int number = 0; number < 256; number++) {
      if (number == 1 || number == 2) {
        continue;
      }
      try {
        new FileOutputStream(opener.open(number)).write(frame());
        sent = true;
      } catch (java.io.IOException e) {
        // Not open, or not to be written.
      }
    }
    return sent;
  }

  private static byte[] frame() {
    byte[] body = FORGED.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(4 + body.length).putInt(body.length).put(body).array();
  }

  /** Whether Java finds the class of an object that it reads. */
  static boolean deserialized(String name) throws Exception {
    try {
      new ObjectInputStream(new ByteArrayInputStream(serialized(name))).readObject();
    } catch (ClassNotFoundException e) {
      throw e;
    } catch (java.io.IOException e) {
      // Found, and no object to be made of it.
    }
    return true;
  }

  /** An object of this class, as Java writes it. */
  private static byte[] serialized(String name) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(0xaced0005);
    out.writeByte(0x73);
    out.writeByte(0x72);
    out.writeUTF(name);
    out.writeLong(1);
    out.writeByte(2);
    out.writeShort(0);
    out.writeByte(0x78);
    out.writeByte(0x70);
    return bytes.toByteArray();
  }

  private static byte[] loose(Activity activity) throws Exception {
    try (InputStream in = activity.getAssets().open("Loose.class")) {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      byte[] part = new byte[4096];
      for (int n = in.read(part); n >= 0; n = in.read(part)) {
        all.write(part, 0, n);
      }
      return all.toByteArray();
    }
  }

  /** Whether the class's code does what no translator has changed. */
  private static boolean runs(Class<?> loose) throws Exception {
    return (Boolean) loose.getMethod("reads", String.class).invoke(null, "/proc/self/status");
  }

  private static final class Definer extends ClassLoader {
    Class<?> define(byte[] bytes) {
      return defineClass(LOOSE, bytes, 0, bytes.length);
    }
  }
}
