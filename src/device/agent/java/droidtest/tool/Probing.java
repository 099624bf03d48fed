package droidtest.tool;

import java.io.IOException;
import org.jacoco.core.instr.Instrumenter;
import org.jacoco.core.runtime.IExecutionDataAccessorGenerator;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** JaCoCo's probes, with the probe arrays kept by {@link droidtest.host.Probes} so that they outlive a class loader. */
final class Probing {
  private final Instrumenter instrumenter = new Instrumenter(new Access());

  byte[] instrument(byte[] bytes, String name) throws IOException {
    return instrumenter.instrument(bytes, name);
  }

  private static final class Access implements IExecutionDataAccessorGenerator {
    @Override
    public int generateDataAccessor(long classId, String className, int probeCount, MethodVisitor mv) {
      mv.visitLdcInsn(classId);
      mv.visitLdcInsn(className);
      mv.visitLdcInsn(probeCount);
      mv.visitMethodInsn(
          Opcodes.INVOKESTATIC, "droidtest/host/Probes", "of", "(JLjava/lang/String;I)[Z", false);
      return 4;
    }
  }
}
