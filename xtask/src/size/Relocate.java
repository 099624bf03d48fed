import com.android.tools.r8.references.Reference;
import com.android.tools.r8.relocator.Relocator;
import com.android.tools.r8.relocator.RelocatorCommand;
import java.nio.file.Path;

/** Moves the packages of a jar below another one, so that it can stand beside another version of itself. */
public final class Relocate {
  /** Usage: {@code IN.jar OUT.jar FROM TO ...}. */
  public static void main(String[] args) throws Exception {
    RelocatorCommand.Builder command = RelocatorCommand.builder();
    command.addProgramFile(Path.of(args[0])).setOutputPath(Path.of(args[1]));
    for (int i = 2; i < args.length; i += 2) {
      command.addSubPackageMapping(Reference.packageFromString(args[i]), Reference.packageFromString(args[i + 1]));
    }
    Relocator.run(command.build());
  }
}
