import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * Compiles versions and runs their inputs. Each line that it reads is a folder with `sources` and files `input0`,
 * `input1` and so on; it writes `said0` and so on beside them, and a line when the folder is done.
 */
public class Batch {
    static final JavaCompiler JAVAC = ToolProvider.getSystemJavaCompiler();
    static final PrintStream OUT = System.out;
    static final PrintStream ERR = System.err;
    /** Runs that ended for the interpreter take milliseconds. */
    static final long MILLISECONDS = 120_000;

    public static void main(String[] args) throws Exception {
        Path driver = Path.of(args[0]);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            OUT.println(work(Path.of(line), driver));
            OUT.flush();
        }
        // A run that goes on forever does not keep the machine alive.
        Runtime.getRuntime().halt(0);
    }

    static String work(Path folder, Path driver) throws Exception {
        Path classes = Files.createDirectories(folder.resolve("classes"));
        List<String> options = new ArrayList<>(List.of("-nowarn", "-proc:none", "-encoding", "UTF-8", "-d", classes.toString()));
        try (Stream<Path> files = Files.walk(folder.resolve("sources"))) {
            files.filter(Files::isRegularFile).map(Path::toString).forEach(options::add);
        }
        OutputStream nowhere = OutputStream.nullOutputStream();
        if (JAVAC.run(null, nowhere, nowhere, options.toArray(new String[0])) != 0) {
            return "refused";
        }
        String names = names(classes);
        URL[] places = { classes.toUri().toURL(), driver.toUri().toURL() };
        for (int number = 0; Files.exists(folder.resolve("input" + number)); number++) {
            Path input = folder.resolve("input" + number);
            Files.writeString(input, names + Files.readString(input));
            Files.writeString(folder.resolve("said" + number), run(places, input));
        }
        return "done";
    }

    /** The lines that tell the driver the binary names of the classes. */
    static String names(Path classes) throws Exception {
        try (Stream<Path> files = Files.walk(classes)) {
            StringBuilder lines = new StringBuilder();
            files.filter(file -> file.toString().endsWith(".class")).sorted().forEach(file -> {
                String name = classes.relativize(file).toString().replace(File.separatorChar, '.');
                lines.append("class ").append(name, 0, name.length() - ".class".length()).append('\n');
            });
            return lines.toString();
        }
    }

    /** One run, with classes that nobody has used before: statics are as they are at the start. */
    static String run(URL[] places, Path input) throws Exception {
        String[] report = { "cannot: it does not end\n" };
        try (URLClassLoader loader = new URLClassLoader(places, ClassLoader.getPlatformClassLoader())) {
            loader.setDefaultAssertionStatus(true);
            Thread thread = new Thread(() -> {
                try {
                    Class<?> driver = loader.loadClass("SelfsameReplay");
                    report[0] = (String) driver.getMethod("report", Path.class).invoke(null, input);
                } catch (ReflectiveOperationException | LinkageError problem) {
                    report[0] = "cannot: " + problem + "\n";
                }
            });
            thread.setDaemon(true);
            thread.start();
            thread.join(MILLISECONDS);
        } finally {
            System.setOut(OUT);
            System.setErr(ERR);
        }
        return report[0];
    }
}
