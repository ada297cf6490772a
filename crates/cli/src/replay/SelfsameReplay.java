import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Runs one method on the input that a file describes, and prints what can be observed of it.
 * The file has one item on each line; `replay/java.rs` writes it, and has the meaning of the lines.
 */
public class SelfsameReplay {
    /** What this driver cannot do; no disagreement, but no confirmation either. */
    static class Cannot extends RuntimeException {
        Cannot(String why) { super(why); }
    }

    final List<String> classes = new ArrayList<>();
    final List<Object> objects = new ArrayList<>();
    final List<String> arguments = new ArrayList<>();
    final List<String> kinds = new ArrayList<>();
    final List<String> watched = new ArrayList<>();
    final List<String> cells = new ArrayList<>();
    final List<String> globals = new ArrayList<>();
    /** The names of the fields that are looked at; a private one that nobody reads is none of them. */
    final Set<String> fields = new HashSet<>();
    String owner;
    String method;
    boolean isInstance;
    boolean showsMessage;
    final StringBuilder report = new StringBuilder();
    final IdentityHashMap<Object, Integer> seen = new IdentityHashMap<>();

    public static void main(String[] args) throws Exception {
        PrintStream out = System.out;
        out.print(report(Path.of(args[0])));
        out.flush();
        System.exit(0);
    }

    /** Runs what a file describes, in a thread with room for deep recursion, and says what was observed. */
    public static String report(Path file) throws Exception {
        SelfsameReplay replay = new SelfsameReplay();
        Thread thread = new Thread(null, () -> {
            try {
                replay.run(file);
            } catch (Cannot cannot) {
                replay.cannot(cannot.getMessage());
            } catch (Throwable problem) {
                replay.cannot("the driver failed: " + problem);
            }
        }, "replay", 512L << 20);
        thread.start();
        thread.join();
        return replay.report.toString();
    }

    void cannot(String why) {
        report.setLength(0);
        report.append("cannot: ").append(why.replace('\n', ' ')).append('\n');
    }

    void run(Path file) throws Exception {
        for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
            read(line);
        }
        for (String cell : cells) {
            setCell(cell);
        }
        for (String global : globals) {
            String[] parts = global.split(" ", 2);
            Field field = staticField(parts[0]);
            field.set(null, value(parts[1], field.getType()));
        }
        Method target = find();
        Class<?>[] types = target.getParameterTypes();
        int skipped = isInstance ? 1 : 0;
        Object receiver = isInstance ? value(arguments.get(0), target.getDeclaringClass()) : null;
        if (receiver != null && isOverridden(target, receiver.getClass())) {
            throw new Cannot("the receiver's class overrides the method");
        }
        Object[] actual = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            actual[i] = value(arguments.get(i + skipped), types[i]);
        }
        ByteArrayOutputStream captured = new ByteArrayOutputStream();
        ByteArrayOutputStream capturedErrors = new ByteArrayOutputStream();
        System.setOut(new PrintStream(captured, true, StandardCharsets.UTF_16BE));
        System.setErr(new PrintStream(capturedErrors, true, StandardCharsets.UTF_16BE));
        try {
            Object result = target.invoke(receiver, actual);
            report.append("end: returned\n");
            if (target.getReturnType() != void.class) {
                item("result", result);
            }
        } catch (InvocationTargetException thrown) {
            String name = thrown.getCause().getClass().getName();
            report.append("end: failed ").append(name.substring(lastSeparator(name) + 1)).append('\n');
            thrown(thrown.getCause());
        }
        System.out.flush();
        System.err.flush();
        for (int i = 0; i < arguments.size(); i++) {
            Object argument = i < skipped ? receiver : actual[i - skipped];
            if (i < skipped || !types[i - skipped].isPrimitive()) {
                item("argument " + i, argument);
            }
        }
        for (String name : watched) {
            item("global " + name, staticField(name).get(null));
        }
        String output = captured.toString(StandardCharsets.UTF_16BE);
        report.append("output: ").append(text(output)).append('\n');
        String errors = capturedErrors.toString(StandardCharsets.UTF_16BE);
        if (errors.contains("\n\tat ")) {
            throw new Cannot("a stack trace is printed");
        }
        report.append("error output: ").append(text(errors)).append('\n');
    }

    /** Whether a call on an object of the class runs another method: only `super` would get at this one. */
    static boolean isOverridden(Method method, Class<?> below) {
        if (Modifier.isPrivate(method.getModifiers())) {
            return false;
        }
        for (Class<?> c = below; c != null && c != method.getDeclaringClass(); c = c.getSuperclass()) {
            try {
                c.getDeclaredMethod(method.getName(), method.getParameterTypes());
                return true;
            } catch (NoSuchMethodException none) {
                continue;
            }
        }
        return false;
    }

    /** The fields that classes of the program give an exception, and its message. */
    void thrown(Throwable exception) throws Exception {
        Map<String, Field> carried = new TreeMap<>();
        for (Class<?> c = exception.getClass(); c.getClassLoader() != null; c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                boolean isUnread = Modifier.isPrivate(field.getModifiers()) && !fields.contains(field.getName());
                if (Modifier.isStatic(field.getModifiers()) || field.isSynthetic() || isUnread) {
                    continue;
                }
                field.setAccessible(true);
                if (carried.put(field.getName(), field) != null) {
                    throw new Cannot("two fields of an exception are called " + field.getName());
                }
            }
        }
        for (Map.Entry<String, Field> field : carried.entrySet()) {
            item("exception " + field.getKey(), field.getValue().get(exception));
        }
        if (showsMessage) {
            item("message", exception.getMessage());
        }
    }

    void read(String line) throws Exception {
        String[] parts = line.split(" ", 2);
        String rest = parts.length > 1 ? parts[1] : "";
        switch (parts[0]) {
            case "class" -> classes.add(rest);
            case "owner" -> owner = rest;
            case "method" -> method = rest;
            case "instance" -> isInstance = true;
            case "message" -> showsMessage = true;
            case "kind" -> kinds.add(rest);
            case "argument" -> arguments.add(rest);
            case "array" -> {
                String[] shape = rest.split(" ", 2);
                objects.add(Array.newInstance(type(shape[1]), Integer.parseInt(shape[0])));
            }
            case "object" -> objects.add(allocate(type(rest)));
            case "field" -> fields.add(rest);
            case "cell" -> cells.add(rest);
            case "global" -> globals.add(rest);
            case "watch" -> watched.add(rest);
            default -> throw new Cannot("the driver does not know " + line);
        }
    }

    /** An object without running a constructor: its fields are all set afterwards. */
    static Object allocate(Class<?> type) throws Exception {
        if (type.isInterface() || Modifier.isAbstract(type.getModifiers())) {
            throw new Cannot("there are no objects of just " + type.getName());
        }
        Class<?> unsafe = Class.forName("sun.misc.Unsafe");
        Field field = unsafe.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        return unsafe.getMethod("allocateInstance", Class.class).invoke(field.get(null), type);
    }

    void setCell(String cell) throws Exception {
        String[] parts = cell.split(" ", 3);
        Object object = objects.get(Integer.parseInt(parts[0]));
        Class<?> type = object.getClass();
        if (type.isArray()) {
            Array.set(object, Integer.parseInt(parts[1]), value(parts[2], type.getComponentType()));
            return;
        }
        Field field = instanceFields(type).get(parts[1]);
        if (field == null) {
            throw new Cannot(type.getName() + " has no field " + parts[1]);
        }
        field.set(object, value(parts[2], field.getType()));
    }

    Method find() {
        List<Method> found = new ArrayList<>();
        int skipped = isInstance ? 1 : 0;
        for (Method candidate : type(owner).getDeclaredMethods()) {
            Class<?>[] types = candidate.getParameterTypes();
            boolean fits = candidate.getName().equals(method) && types.length + skipped == kinds.size()
                && Modifier.isStatic(candidate.getModifiers()) != isInstance && !candidate.isBridge();
            for (int i = 0; fits && i < types.length; i++) {
                fits = fits(kinds.get(i + skipped), types[i]);
            }
            if (fits) {
                found.add(candidate);
            }
        }
        if (found.size() != 1) {
            throw new Cannot(found.size() + " methods of " + owner + " look like " + method);
        }
        found.get(0).setAccessible(true);
        return found.get(0);
    }

    boolean fits(String kind, Class<?> type) {
        return switch (kind) {
            case "boolean", "byte", "short", "char", "int", "long", "float", "double" -> type.getName().equals(kind);
            case "text" -> type.isAssignableFrom(String.class);
            case "any" -> !type.isPrimitive();
            case "boxed boolean", "boxed byte", "boxed short", "boxed char", "boxed int", "boxed long",
                "boxed float", "boxed double" -> type.equals(boxOf(kind.substring(6)));
            default -> !type.isPrimitive() && type.equals(type(kind));
        };
    }

    /** The class whose objects hold values of a primitive type. */
    Class<?> boxOf(String primitive) {
        return Array.get(Array.newInstance(type(primitive), 1), 0).getClass();
    }

    /** A type by its name in the source, such as `int[]` or `Node`. */
    Class<?> type(String name) {
        if (name.endsWith("[]")) {
            return Array.newInstance(type(name.substring(0, name.length() - 2)), 0).getClass();
        }
        switch (name) {
            case "boolean": return boolean.class;
            case "byte": return byte.class;
            case "short": return short.class;
            case "char": return char.class;
            case "int": return int.class;
            case "long": return long.class;
            case "float": return float.class;
            case "double": return double.class;
            case "Boolean": return Boolean.class;
            case "Byte": return Byte.class;
            case "Short": return Short.class;
            case "Character": return Character.class;
            case "Integer": return Integer.class;
            case "Long": return Long.class;
            case "Float": return Float.class;
            case "Double": return Double.class;
            case "String": return String.class;
            case "Object": return Object.class;
            default: return userClass(name);
        }
    }

    Class<?> userClass(String name) {
        List<String> found = new ArrayList<>();
        for (String binary : classes) {
            String dotted = binary.replace('$', '.');
            if (dotted.equals(name) || dotted.endsWith("." + name)) {
                found.add(binary);
            }
        }
        if (found.size() != 1) {
            throw new Cannot(found.size() + " classes of the program are called " + name);
        }
        try {
            return Class.forName(found.get(0));
        } catch (ClassNotFoundException problem) {
            throw new Cannot("no class " + name);
        } catch (ExceptionInInitializerError problem) {
            throw new Cannot("the static initialiser of " + name + " fails");
        }
    }

    Field staticField(String name) throws Exception {
        int dot = name.lastIndexOf('.');
        if (dot < 0) {
            throw new Cannot("no class for the static field " + name);
        }
        try {
            Field field = type(name.substring(0, dot)).getDeclaredField(name.substring(dot + 1));
            field.setAccessible(true);
            return field;
        } catch (NoSuchFieldException problem) {
            throw new Cannot("no static field " + name);
        }
    }

    /** The fields that objects of a class have, by name. */
    Map<String, Field> instanceFields(Class<?> type) {
        Map<String, Field> found = new TreeMap<>();
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) || field.isSynthetic()) {
                    continue;
                }
                if (Modifier.isPrivate(field.getModifiers()) && !fields.contains(field.getName())
                        && c.getClassLoader() != null) {
                    continue;
                }
                if (c.getClassLoader() == null) {
                    throw new Cannot("objects of the library class " + c.getName() + " are not shown");
                }
                field.setAccessible(true);
                if (found.put(field.getName(), field) != null) {
                    throw new Cannot("two fields of " + type.getName() + " are called " + field.getName());
                }
            }
        }
        return found;
    }

    /** A value as the file writes it, for a place of a type. */
    Object value(String text, Class<?> type) throws Exception {
        int colon = text.indexOf(':');
        String kind = colon < 0 ? text : text.substring(0, colon);
        String body = text.substring(colon + 1);
        switch (kind) {
            case "null": return null;
            case "bool": return body.equals("true");
            case "f32": return Float.intBitsToFloat(Integer.parseUnsignedInt(body, 16));
            case "f64": return Double.longBitsToDouble(Long.parseUnsignedLong(body, 16));
            case "ref": return objects.get(Integer.parseInt(body));
            case "static": return staticField(body).get(null);
            case "text": return units(body);
            case "int": break;
            default: throw new Cannot("the driver does not know the value " + text);
        }
        long number = Long.parseLong(body);
        switch (type.getName()) {
            case "byte", "java.lang.Byte": return (byte) number;
            case "short", "java.lang.Short": return (short) number;
            case "char", "java.lang.Character": return (char) number;
            case "int", "java.lang.Integer": return (int) number;
            case "long", "java.lang.Long": return number;
            default: throw new Cannot("a number for a place of type " + type.getName());
        }
    }

    static String units(String body) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i + 4 <= body.length(); i += 4) {
            text.append((char) Integer.parseInt(body.substring(i, i + 4), 16));
        }
        // Not the literal's object: identity of texts is not part of the comparison.
        return new String(text);
    }

    void item(String name, Object value) throws Exception {
        report.append(name).append(": ");
        write(value, 0);
        report.append('\n');
    }

    /** Writes a value; an object the second time only by its number. */
    void write(Object value, int depth) throws Exception {
        if (depth > 3000) {
            throw new Cannot("the objects are nested too deeply");
        }
        if (value == null) {
            report.append("null");
        } else if (value instanceof Boolean) {
            report.append(value);
        } else if (value instanceof Character c) {
            report.append((int) c);
        } else if (value instanceof Byte || value instanceof Short || value instanceof Integer || value instanceof Long) {
            report.append(value);
        } else if (value instanceof Float f) {
            report.append("f32:").append(String.format("%08x", Float.floatToIntBits(f)));
        } else if (value instanceof Double d) {
            report.append("f64:").append(String.format("%016x", Double.doubleToLongBits(d)));
        } else if (value instanceof String s) {
            report.append(text(s));
        } else if (value instanceof Enum<?> e) {
            report.append("static:").append(e.name());
        } else {
            writeObject(value, depth);
        }
    }

    void writeObject(Object object, int depth) throws Exception {
        Integer known = seen.get(object);
        if (known != null) {
            report.append('#').append(known);
            return;
        }
        seen.put(object, seen.size());
        if (object.getClass().isArray()) {
            report.append('[');
            for (int i = 0; i < Array.getLength(object); i++) {
                report.append(i == 0 ? "" : ",");
                write(Array.get(object, i), depth + 1);
            }
            report.append(']');
            return;
        }
        report.append('{');
        String separator = "";
        for (Map.Entry<String, Field> field : instanceFields(object.getClass()).entrySet()) {
            report.append(separator).append(field.getKey()).append('=');
            write(field.getValue().get(object), depth + 1);
            separator = ",";
        }
        report.append('}');
    }

    static String text(String text) {
        StringBuilder units = new StringBuilder("text:");
        for (int i = 0; i < text.length(); i++) {
            units.append(String.format("%04x", (int) text.charAt(i)));
        }
        return units.toString();
    }

    static int lastSeparator(String name) {
        return Math.max(name.lastIndexOf('.'), name.lastIndexOf('$'));
    }
}
