package droidtest.app;

import android.hardware.camera2.CameraAccessException;
import android.hardware.camera2.CameraCaptureSession;
import android.hardware.camera2.CameraMetadata;
import android.hardware.camera2.CaptureRequest;
import android.hardware.camera2.CaptureResult;
import android.hardware.camera2.TotalCaptureResult;
import android.os.Handler;
import android.os.Looper;
import android.os.SystemClock;
import android.view.Surface;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowCameraCaptureSessionImpl;
import org.robolectric.shadows.ShadowCaptureResult;
import org.robolectric.shadows.ShadowTotalCaptureResult;
import org.robolectric.util.ReflectionHelpers;

/**
 * A session of a camera (camera2), which delivers a grey frame to each target of a request, and its result. Frames
 * are few, as in the dark, and fewer for a request that is repeated for long; focus and exposure are always ready.
 */
@Implements(className = "android.hardware.camera2.impl.CameraCaptureSessionImpl", isInAndroidSdk = false)
public class Captures extends ShadowCameraCaptureSessionImpl {
  private static final int FRAME_MS = 66;
  /** What a frame takes when many like it were delivered: to an app they bring nothing new. */
  private static final int SLOW_FRAME_MS = 500;
  private static final int FAST_FRAMES = 15;

  /** What the app asked for with one call. */
  private static final class Sequence {
    final int id;
    final List<CaptureRequest> requests;
    final CameraCaptureSession.CaptureCallback callback;
    final Executor executor;
    int done;
    long lastFrame = -1;

    Sequence(
        int id, List<CaptureRequest> requests, CameraCaptureSession.CaptureCallback callback, Executor executor) {
      this.id = id;
      this.requests = requests;
      this.callback = callback;
      this.executor = executor;
    }

    CaptureRequest next() {
      return requests.get(done % requests.size());
    }

    void report(Runnable report) {
      if (callback != null) {
        later(executor, report);
      }
    }
  }

  @RealObject private CameraCaptureSession session;
  private final ArrayDeque<Sequence> once = new ArrayDeque<>();
  private Sequence repeating;
  private Executor states;
  private CameraCaptureSession.StateCallback state;
  private int sequences;
  private long frames;
  private boolean ticking;
  /** What the app was notified of last; null before. */
  private Boolean active;
  private boolean closed;

  /** The session is configured; it reports its state there. */
  synchronized void open(CameraCaptureSession.StateCallback callback, Executor executor) {
    state = callback;
    states = executor;
    later(executor, () -> callback.onConfigured(session));
    tick();
  }

  @Override
  @Implementation
  protected int capture(CaptureRequest request, CameraCaptureSession.CaptureCallback callback, Handler handler)
      throws CameraAccessException {
    return submit(one(request), callback, executor(handler, callback), false);
  }

  @Override
  @Implementation
  protected int captureSingleRequest(
      CaptureRequest request, Executor executor, CameraCaptureSession.CaptureCallback callback)
      throws CameraAccessException {
    return submit(one(request), required("callback", callback), required("executor", executor), false);
  }

  @Implementation
  protected int captureBurst(
      List<CaptureRequest> requests, CameraCaptureSession.CaptureCallback callback, Handler handler)
      throws CameraAccessException {
    return submit(some(requests), callback, executor(handler, callback), false);
  }

  @Implementation
  protected int captureBurstRequests(
      List<CaptureRequest> requests, Executor executor, CameraCaptureSession.CaptureCallback callback)
      throws CameraAccessException {
    return submit(some(requests), required("callback", callback), required("executor", executor), false);
  }

  @Override
  @Implementation
  protected int setRepeatingRequest(
      CaptureRequest request, CameraCaptureSession.CaptureCallback callback, Handler handler)
      throws CameraAccessException {
    return submit(one(request), callback, executor(handler, callback), true);
  }

  @Override
  @Implementation
  protected int setSingleRepeatingRequest(
      CaptureRequest request, Executor executor, CameraCaptureSession.CaptureCallback callback)
      throws CameraAccessException {
    return submit(one(request), required("callback", callback), required("executor", executor), true);
  }

  @Implementation
  protected int setRepeatingBurst(
      List<CaptureRequest> requests, CameraCaptureSession.CaptureCallback callback, Handler handler)
      throws CameraAccessException {
    return submit(some(requests), callback, executor(handler, callback), true);
  }

  @Implementation
  protected int setRepeatingBurstRequests(
      List<CaptureRequest> requests, Executor executor, CameraCaptureSession.CaptureCallback callback)
      throws CameraAccessException {
    return submit(some(requests), required("callback", callback), required("executor", executor), true);
  }

  @Implementation
  protected synchronized void stopRepeating() throws CameraAccessException {
    use();
    endRepeating();
  }

  @Implementation
  protected synchronized void abortCaptures() throws CameraAccessException {
    use();
    endRepeating();
    abandon();
  }

  @Override
  @Implementation
  protected void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      endRepeating();
      abandon();
    }
    later(states, () -> state.onClosed(session));
  }

  /** The app configures another one, which ends this one at once. */
  @Implementation
  protected void replaceSessionClose() {
    close();
  }

  private synchronized int submit(
      List<CaptureRequest> requests, CameraCaptureSession.CaptureCallback callback, Executor executor, boolean repeat)
      throws CameraAccessException {
    use();
    for (CaptureRequest request : requests) {
      if (request.getTargets().isEmpty()) {
        throw new IllegalArgumentException("Each request must have at least one Surface target");
      }
    }
    Sequence sequence = new Sequence(sequences++, requests, callback, executor);
    if (repeat) {
      endRepeating();
      repeating = sequence;
    } else {
      once.add(sequence);
    }
    if (active == null || !active) {
      active = true;
      later(states, () -> state.onActive(session));
    }
    tick();
    return sequence.id;
  }

  private synchronized void tick() {
    if (!ticking) {
      ticking = true;
      boolean slow = once.isEmpty() && repeating != null && repeating.done >= FAST_FRAMES;
      CameraThread.handler().postDelayed(this::frame, slow ? SLOW_FRAME_MS : FRAME_MS);
    }
  }

  private synchronized void frame() {
    ticking = false;
    Sequence sequence = once.isEmpty() ? repeating : once.peek();
    if (closed || sequence == null) {
      if (!closed && (active == null || active)) {
        active = false;
        later(states, () -> state.onReady(session));
      }
      return;
    }
    tick();
    CaptureRequest request = sequence.next();
    Collection<Surface> targets = request.getTargets();
    if (!targets.stream().allMatch(CameraImages::takes)) {
      // As on Android, the camera waits until the app has closed an image.
      return;
    }
    long number = frames++;
    long time = SystemClock.elapsedRealtimeNanos();
    TotalCaptureResult result = result(request, sequence.id, number, time);
    sequence.done++;
    sequence.lastFrame = number;
    boolean last = sequence != repeating && sequence.done == sequence.requests.size();
    sequence.report(() -> sequence.callback.onCaptureStarted(session, request, time, number));
    later(Runnable::run, () -> targets.forEach(target -> CameraImages.show(target, time)));
    sequence.report(() -> sequence.callback.onCaptureCompleted(session, request, result));
    if (last) {
      once.remove();
      sequence.report(() -> sequence.callback.onCaptureSequenceCompleted(session, sequence.id, number));
    }
  }

  private TotalCaptureResult result(CaptureRequest request, int sequence, long number, long time) {
    TotalCaptureResult made = ShadowTotalCaptureResult.newTotalCaptureResult();
    ReflectionHelpers.setField(CaptureResult.class, made, "mRequest", request);
    ReflectionHelpers.setField(CaptureResult.class, made, "mSequenceId", sequence);
    ReflectionHelpers.setField(CaptureResult.class, made, "mFrameNumber", number);
    ShadowCaptureResult to = Shadow.extract(made);
    boolean fixed = !Integer.toString(Lenses.BACK).equals(session.getDevice().getId());
    to.set(
        CaptureResult.CONTROL_AF_STATE,
        fixed ? CameraMetadata.CONTROL_AF_STATE_INACTIVE : CameraMetadata.CONTROL_AF_STATE_FOCUSED_LOCKED);
    to.set(CaptureResult.CONTROL_AE_STATE, CameraMetadata.CONTROL_AE_STATE_CONVERGED);
    to.set(CaptureResult.CONTROL_AWB_STATE, CameraMetadata.CONTROL_AWB_STATE_CONVERGED);
    to.set(
        CaptureResult.FLASH_STATE,
        fixed ? CameraMetadata.FLASH_STATE_UNAVAILABLE : CameraMetadata.FLASH_STATE_READY);
    to.set(CaptureResult.LENS_STATE, CameraMetadata.LENS_STATE_STATIONARY);
    to.set(CaptureResult.LENS_FOCAL_LENGTH, Lenses.FOCAL_LENGTH);
    to.set(CaptureResult.LENS_APERTURE, Lenses.APERTURE);
    to.set(CaptureResult.SENSOR_TIMESTAMP, time);
    to.set(CaptureResult.SENSOR_EXPOSURE_TIME, FRAME_MS * 1_000_000L);
    to.set(CaptureResult.SENSOR_SENSITIVITY, 800);
    return made;
  }

  private void endRepeating() {
    Sequence ended = repeating;
    repeating = null;
    if (ended == null) {
      return;
    }
    long last = ended.lastFrame;
    if (last < 0) {
      ended.report(() -> ended.callback.onCaptureSequenceAborted(session, ended.id));
    } else {
      ended.report(() -> ended.callback.onCaptureSequenceCompleted(session, ended.id, last));
    }
  }

  private void abandon() {
    for (Sequence abandoned : once) {
      abandoned.report(() -> abandoned.callback.onCaptureSequenceAborted(session, abandoned.id));
    }
    once.clear();
  }

  private void use() {
    if (closed) {
      throw new IllegalStateException("Session has been closed; further changes are illegal.");
    }
    ReflectionHelpers.callInstanceMethod(session.getDevice(), "checkIfCameraClosedOrInError");
  }

  /** As on Android, outside the app's call and any lock. Nobody hears what an executor does not take any more. */
  private static void later(Executor executor, Runnable report) {
    CameraThread.handler()
        .post(
            () -> {
              try {
                executor.execute(report);
              } catch (RejectedExecutionException e) {
                // The app has shut it down.
              }
            });
  }

  private static List<CaptureRequest> one(CaptureRequest request) {
    return List.of(required("request", request));
  }

  private static List<CaptureRequest> some(List<CaptureRequest> requests) {
    if (requests == null || requests.isEmpty()) {
      throw new IllegalArgumentException("Requests must have at least one element");
    }
    return List.copyOf(requests);
  }

  private static <T> T required(String name, T argument) {
    if (argument == null) {
      throw new IllegalArgumentException(name + " must not be null");
    }
    return argument;
  }

  private static Executor executor(Handler handler, CameraCaptureSession.CaptureCallback callback) {
    return callback == null ? null : executor(handler);
  }

  /** Without a handler, on the caller's thread. */
  static Executor executor(Handler handler) {
    Looper looper = handler == null ? Looper.myLooper() : handler.getLooper();
    if (looper == null) {
      throw new IllegalArgumentException("No handler given, and current thread has no looper!");
    }
    return new Handler(looper)::post;
  }
}
