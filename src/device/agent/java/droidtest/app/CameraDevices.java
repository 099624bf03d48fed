package droidtest.app;

import android.hardware.camera2.CameraAccessException;
import android.hardware.camera2.CameraCaptureSession;
import android.hardware.camera2.CameraDevice;
import android.hardware.camera2.params.OutputConfiguration;
import android.hardware.camera2.params.SessionConfiguration;
import android.os.Handler;
import android.os.Looper;
import android.view.Surface;
import java.util.List;
import java.util.concurrent.Executor;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowCameraDeviceImpl;
import org.robolectric.util.ReflectionHelpers;

/** An open camera (camera2), which has one session at a time. */
@Implements(className = "android.hardware.camera2.impl.CameraDeviceImpl", isInAndroidSdk = false)
public class CameraDevices extends ShadowCameraDeviceImpl {
  private static final String SESSION = "android.hardware.camera2.impl.CameraCaptureSessionImpl";

  @RealObject private CameraDevice device;
  private CameraCaptureSession session;

  @Override
  @Implementation
  protected void createCaptureSession(
      List<Surface> surfaces, CameraCaptureSession.StateCallback callback, Handler handler)
      throws CameraAccessException {
    open(callback, handler);
  }

  @Override
  @Implementation
  protected void createCaptureSession(SessionConfiguration configuration) throws CameraAccessException {
    open(configuration.getStateCallback(), configuration.getExecutor());
  }

  @Implementation
  protected void createCaptureSessionByOutputConfigurations(
      List<OutputConfiguration> outputs, CameraCaptureSession.StateCallback callback, Handler handler)
      throws CameraAccessException {
    open(callback, handler);
  }

  @Override
  @Implementation
  protected void close() {
    if (session != null) {
      session.close();
    }
    super.close();
  }

  /** Without a handler, on the caller's thread. */
  private void open(CameraCaptureSession.StateCallback callback, Handler handler) {
    Looper looper = handler == null ? Looper.myLooper() : handler.getLooper();
    if (looper == null) {
      throw new IllegalArgumentException("No handler given, and current thread has no looper!");
    }
    open(callback, new Handler(looper)::post);
  }

  private void open(CameraCaptureSession.StateCallback callback, Executor executor) {
    checkIfCameraClosedOrInError();
    if (session != null) {
      session.close();
    }
    session = (CameraCaptureSession) Shadow.newInstanceOf(SESSION);
    ReflectionHelpers.setField(session, "mDeviceImpl", device);
    ((Captures) Shadow.extract(session)).open(callback, executor);
  }
}
