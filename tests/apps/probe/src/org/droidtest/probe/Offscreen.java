package org.droidtest.probe;

import android.opengl.EGL14;
import android.opengl.EGL15;
import android.opengl.EGLConfig;
import android.opengl.EGLContext;
import android.opengl.EGLDisplay;
import android.opengl.EGLSurface;
import android.opengl.GLES20;
import android.opengl.GLES30;
import android.os.Build;
import java.nio.IntBuffer;
import java.util.Arrays;
import javax.microedition.khronos.egl.EGL10;

/** As a camera's or a video's library draws: without a view, on a context of its own, with every answer checked. */
final class Offscreen {
    private static final String VERTEX =
            "uniform mat4 uMatrix; // and uUnused\n"
                    + "attribute vec4 aPosition;\n"
                    + "varying vec2 vAt;\n"
                    + "void main() { vAt = aPosition.xy; gl_Position = uMatrix * aPosition; }\n";
    private static final String FRAGMENT =
            "precision mediump float;\n"
                    + "uniform sampler2D uPicture;\n"
                    + "uniform float uUnused; uniform float[3] uWeights;\n"
                    + "varying vec2 vAt;\n"
                    + "void main() { gl_FragColor = uWeights[0] * texture2D(uPicture, vAt); }\n";

    private static final int ANDROID_PLATFORM = 0x3141;

    private final int[] out = new int[4];

    /** The first answer that a phone would not give, or what the context is. */
    String render() {
        try {
            return draw();
        } catch (RuntimeException e) {
            return e.toString();
        }
    }

    private String draw() {
        EGLDisplay display = EGL14.eglGetDisplay(EGL14.EGL_DEFAULT_DISPLAY);
        check(EGL14.EGL_NO_DISPLAY != display, "display");
        check(EGL14.eglInitialize(display, out, 0, out, 1), "initialize");
        check(EGL14.eglGetCurrentContext() == EGL14.EGL_NO_CONTEXT, "no context");
        check(EGL14.eglGetCurrentSurface(EGL14.EGL_DRAW) == EGL14.EGL_NO_SURFACE, "no surface");
        check(EGL14.eglGetCurrentDisplay() == EGL14.EGL_NO_DISPLAY, "no display");
        check(GLES20.glGetString(GLES20.GL_VERSION) == null, "nothing without a context");
        EGLConfig[] configs = new EGLConfig[1];
        int[] spec = {EGL14.EGL_RENDERABLE_TYPE, EGL14.EGL_OPENGL_ES2_BIT, EGL14.EGL_ALPHA_SIZE, 0, EGL14.EGL_NONE};
        check(EGL14.eglChooseConfig(display, spec, 0, configs, 0, 1, out, 2) && out[2] == 1, "config");
        EGLContext context =
                EGL14.eglCreateContext(
                        display,
                        configs[0],
                        EGL14.EGL_NO_CONTEXT,
                        new int[] {EGL14.EGL_CONTEXT_CLIENT_VERSION, 2, EGL14.EGL_NONE},
                        0);
        EGLSurface surface =
                EGL14.eglCreatePbufferSurface(
                        display,
                        configs[0],
                        new int[] {EGL14.EGL_WIDTH, 32, EGL14.EGL_HEIGHT, 16, EGL14.EGL_NONE},
                        0);
        check(EGL14.eglMakeCurrent(display, surface, surface, context), "make current");
        check(EGL14.eglGetCurrentContext().equals(context), "current context");
        check(EGL14.eglGetCurrentSurface(EGL14.EGL_READ).equals(surface), "current surface");
        EGL10 old = (EGL10) javax.microedition.khronos.egl.EGLContext.getEGL();
        check(!old.eglGetCurrentContext().equals(EGL10.EGL_NO_CONTEXT), "one context for both interfaces");
        check(Build.VERSION.SDK_INT < 29 || newer(display), "EGL 1.5");
        check(EGL14.eglQueryString(display, EGL14.EGL_EXTENSIONS).contains("EGL_ANDROID_recordable"), "extensions");
        String drawn = program();
        state();
        EGL14.eglQuerySurface(display, surface, EGL14.EGL_WIDTH, out, 0);
        EGL14.eglQueryContext(display, context, EGL14.EGL_CONTEXT_CLIENT_VERSION, out, 1);
        drawn += ", " + out[0] + " wide, version " + out[1];
        check(EGL14.eglSwapBuffers(display, surface), "swap");
        EGL14.eglMakeCurrent(display, EGL14.EGL_NO_SURFACE, EGL14.EGL_NO_SURFACE, EGL14.EGL_NO_CONTEXT);
        check(EGL14.eglGetCurrentContext() == EGL14.EGL_NO_CONTEXT, "context let go");
        check(EGL14.eglDestroySurface(display, surface), "destroy");
        check(!EGL14.eglSwapBuffers(display, surface), "swap after the end");
        check(EGL14.eglGetError() == EGL14.EGL_BAD_SURFACE, "error");
        check(EGL14.eglGetError() == EGL14.EGL_SUCCESS, "error once");
        check(!EGL14.eglSwapBuffers(display, surface), "swap again");
        check(EGL14.eglBindAPI(EGL14.EGL_OPENGL_ES_API), "bind");
        check(EGL14.eglGetError() == EGL14.EGL_SUCCESS, "error of the last call only");
        return drawn;
    }

    private static boolean newer(EGLDisplay display) {
        long[] none = {EGL14.EGL_NONE};
        return EGL15.EGL_NO_SYNC != null && EGL15.eglGetPlatformDisplay(ANDROID_PLATFORM, 0, none, 0).equals(display);
    }

    private void state() {
        GLES20.glGetIntegerv(GLES20.GL_VIEWPORT, out, 0);
        check(Arrays.equals(out, new int[] {0, 0, 32, 16}), "viewport at first");
        GLES20.glViewport(1, 2, 3, 4);
        GLES20.glGetIntegerv(GLES20.GL_VIEWPORT, out, 0);
        check(Arrays.equals(out, new int[] {1, 2, 3, 4}), "viewport");
        GLES20.glGetIntegerv(GLES20.GL_SCISSOR_BOX, out, 0);
        check(out[2] == 32 && out[3] == 16, "scissor box");
    }

    private String program() {
        int program = GLES20.glCreateProgram();
        int vertex = shader(GLES20.GL_VERTEX_SHADER, VERTEX);
        GLES20.glAttachShader(program, vertex);
        GLES20.glAttachShader(program, shader(GLES20.GL_FRAGMENT_SHADER, FRAGMENT));
        GLES20.glLinkProgram(program);
        GLES20.glGetProgramiv(program, GLES20.GL_LINK_STATUS, out, 0);
        check(out[0] == GLES20.GL_TRUE, "link");
        GLES20.glUseProgram(program);
        GLES20.glGetIntegerv(GLES20.GL_CURRENT_PROGRAM, out, 0);
        check(out[0] == program, "current program");
        GLES20.glDetachShader(program, vertex);
        GLES20.glDeleteShader(vertex);
        check(!GLES20.glIsShader(vertex), "deleted shader");
        check(GLES20.glGetAttribLocation(program, "aPosition") >= 0, "attribute");
        check(GLES20.glGetUniformLocation(program, "uMissing") == -1, "missing uniform");
        int[] texture = new int[2];
        GLES30.glGenTextures(1, texture, 1);
        check(texture[1] > 0 && GLES20.glIsTexture(texture[1]), "texture");
        GLES20.glDeleteTextures(1, texture, 1);
        check(!GLES20.glIsTexture(texture[1]), "deleted texture");
        check(GLES20.glCheckFramebufferStatus(GLES20.GL_FRAMEBUFFER) == GLES20.GL_FRAMEBUFFER_COMPLETE, "framebuffer");
        IntBuffer most = IntBuffer.allocate(1);
        GLES20.glGetIntegerv(GLES20.GL_MAX_TEXTURE_SIZE, most);
        check(most.get(0) >= 2048, "texture size");
        GLES20.glGetProgramiv(program, GLES20.GL_ACTIVE_UNIFORMS, out, 0);
        StringBuilder names = new StringBuilder();
        for (int i = 0, count = out[0]; i < count; i++) {
            names.append(GLES20.glGetActiveUniform(program, i, out, 1, out, 2)).append(' ');
        }
        check(GLES20.glGetError() == GLES20.GL_NO_ERROR, "no error");
        return names.toString().trim();
    }

    private int shader(int type, String source) {
        int shader = GLES20.glCreateShader(type);
        GLES20.glShaderSource(shader, source);
        GLES20.glCompileShader(shader);
        GLES20.glGetShaderiv(shader, GLES20.GL_COMPILE_STATUS, out, 3);
        check(out[3] == GLES20.GL_TRUE, "compile " + GLES20.glGetShaderInfoLog(shader));
        return shader;
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException(what);
        }
    }
}
