package droidtest.app;

import android.hardware.camera2.CameraAccessException;
import android.hardware.camera2.CameraCaptureSession;
import android.hardware.camera2.CameraDevice;
import android.hardware.camera2.params.OutputConfiguration;
import android.hardware.camera2.params.SessionConfiguration;
import android.os.Handler;
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
    open(callback, Captures.executor(handler));
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
    open(callback, Captures.executor(handler));
  }

  @Override
  @Implementation
  protected void close() {
    if (session != null) {
      session.close();
    }
    super.close();
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
