package org.droidtest.hostile;

import static java.lang.invoke.MethodType.methodType;

import android.app.Activity;
import java.beans.Expression;
import java.io.StringReader;
import java.io.StringWriter;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.stream.Stream;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;

/** Attempts with what Java has and Android lacks, which reaches the agent past the redirected calls. */
final class Beyond {
  private static final String SESSION = "droidtest.app.Session";
  /** Calls a method of Java for each text that it prints. */
  private static final String STYLESHEET =
      "<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'"
          + " xmlns:p='http://xml.apache.org/xalan/java/java.lang.System'>"
          + "<xsl:template match='/'><xsl:value-of select=\"p:getProperty('java.home')\"/></xsl:template>"
          + "</xsl:stylesheet>";

  private Beyond() {}

  static Escape.Attempt attempt(String name, Activity activity) {
    switch (name) {
      case "agent_by_expression": return () -> {
        Object loader = new Expression(activity.getClass().getSuperclass(), "getClassLoader", new Object[0]).getValue();
        return new Expression(loader, "loadClass", new Object[] {SESSION}).getValue() != null;
      };
      case "agent_by_stylesheet": return () -> transformed(TransformerFactory.newInstance());
      case "agent_by_stylesheet_feature": return () -> {
        TransformerFactory factory = TransformerFactory.newInstance();
        factory.setFeature("http://www.oracle.com/xml/jaxp/properties/enableExtensionFunctions", true);
        return transformed(factory);
      };
      case "agent_by_walker": return () -> {
        StackWalker walker = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
        return walker.walk(frames -> any(frames.map(StackWalker.StackFrame::getDeclaringClass)));
      };
      case "agent_by_context": return () -> any(Stream.of(new Context().get()));
      case "agent_by_runner": return () -> Class.forName("org.junit.runners.model.FrameworkMethod") != null;
      case "class_by_robolectric": return () -> Class.forName("org.robolectric.internal.bytecode.SandboxClassLoader") != null;
      case "class_by_robolectric_linked": return () -> Class.forName("org.robolectric.internal.bytecode.UrlResourceProvider",
          true, Beyond.class.getClassLoader()) != null;
      case "native_by_internal": return () -> {
        Method load = Runtime.class.getDeclaredMethod("load0", Class.class, String.class);
        load.setAccessible(true);
        load.invoke(Runtime.getRuntime(), Beyond.class, Around.library());
        return true;
      };
      case "native_reflected": return () -> {
        Runtime.class.getMethod("load", String.class).invoke(Runtime.getRuntime(), Around.library());
        return true;
      };
      case "native_by_system": return () -> {
        System.class.getMethod("load", String.class).invoke(null, Around.library());
        return true;
      };
      case "native_by_handle": return () -> {
        MethodHandle load = MethodHandles.lookup().findVirtual(Runtime.class, "load", methodType(void.class, String.class));
        load.invoke(Runtime.getRuntime(), Around.library());
        return true;
      };
      case "java_beans": return () -> Class.forName("java.beans.Expression") != null;
      case "java_secrets": return () ->
          Class.forName("jdk.internal.access.SharedSecrets", true, null).getMethod("getJavaLangAccess").invoke(null) != null;
      case "java_desktop": return () -> Class.forName("java.awt.Robot") != null;
      case "java_desktop_linked": return () -> new java.awt.Point(1, 2).x == 1;
      case "java_management": return () -> Class.forName("java.lang.management.ManagementFactory", true, null) != null;
      case "java_module": return () -> Class.class.getMethod("getModule").invoke(Activity.class) != null;
      case "java_module_linked": return () -> String.class.getModule().isNamed();
      case "java_private": return () -> {
        Method all = Class.class.getDeclaredMethod("getDeclaredFields0", boolean.class);
        all.setAccessible(true);
        return ((Object[]) all.invoke(Class.class, false)).length > 0;
      };
      case "java_private_listed": return () ->
          Stream.of(ClassLoader.class.getDeclaredMethods()).anyMatch(method -> method.getName().equals("findNative"));
      case "java_private_by_handle": return () -> {
        MethodHandles.Lookup inside = MethodHandles.privateLookupIn(Class.class, MethodHandles.lookup());
        MethodHandle made = inside.findVirtual(Class.class, "initClassName", methodType(String.class));
        return made.invoke(Beyond.class) != null;
      };
      case "java_private_constructor": return () -> {
        MethodHandles.Lookup inside = MethodHandles.privateLookupIn(java.lang.reflect.Field.class, MethodHandles.lookup());
        MethodType type = methodType(void.class, Class.class, String.class, Class.class, int.class, boolean.class, int.class,
            String.class, byte[].class);
        return inside.findConstructor(java.lang.reflect.Field.class, type) != null;
      };
      case "java_private_field": return () -> {
        MethodHandles.Lookup inside = MethodHandles.privateLookupIn(ClassLoader.class, MethodHandles.lookup());
        return inside.findStaticGetter(ClassLoader.class, "scl", ClassLoader.class).invoke() != null;
      };
      case "java_by_type": return () ->
          MethodType.fromMethodDescriptorString("()Ljava/lang/ProcessHandle;", null).returnType().getMethod("current").invoke(null) != null;
      case "java_by_handle": return () -> {
        Class<?> type = MethodType.fromMethodDescriptorString("()Ljava/lang/ProcessHandle;", null).returnType();
        return MethodHandles.lookup().findStatic(type, "current", methodType(type)).invoke() != null;
      };
      case "java_by_instance": return () ->
          MethodType.fromMethodDescriptorString("()Ljava/awt/Point;", null).returnType().newInstance() != null;
      case "java_by_proxy": return () -> {
        Class<?> type = Class.forName("java.lang.management.RuntimeMXBean", true, null);
        return Proxy.newProxyInstance(Beyond.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, given) -> null) != null;
      };
      case "java_by_stream": return () -> Agent.deserialized("java.awt.Point");
      case "java_by_array": return () -> Class.forName("[Ljava.awt.Robot;") != null;
      default: return null;
    }
  }

  private static boolean any(Stream<Class<?>> classes) {
    return classes.anyMatch(type -> type.getName().startsWith("droidtest."));
  }

  private static boolean transformed(TransformerFactory factory) throws Exception {
    StringWriter out = new StringWriter();
    factory.newTransformer(new StreamSource(new StringReader(STYLESHEET)))
        .transform(new StreamSource(new StringReader("<a/>")), new StreamResult(out));
    return out.toString().contains("/");
  }

  @SuppressWarnings("removal")
  private static final class Context extends SecurityManager {
    Class<?>[] get() {
      return getClassContext();
    }
  }
}
