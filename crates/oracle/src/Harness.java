// Runs compiled programs on inputs and writes exactly what happened, one line for each run.
// The words of inputs and results are those of `datum.rs`.

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.FileReader;
import java.io.PrintStream;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Locale;

class Harness {
    /** A stream that keeps code units as they are, whatever the platform's encoding. */
    static final class Recorder extends PrintStream {
        final StringBuilder text = new StringBuilder();

        Recorder() {
            super(new ByteArrayOutputStream());
        }

        @Override public void print(boolean value) { text.append(value); }
        @Override public void print(char value) { text.append(value); }
        @Override public void print(int value) { text.append(value); }
        @Override public void print(long value) { text.append(value); }
        @Override public void print(float value) { text.append(value); }
        @Override public void print(double value) { text.append(value); }
        @Override public void print(char[] value) { text.append(value); }
        @Override public void print(String value) { text.append(value); }
        @Override public void print(Object value) { text.append(value); }
        @Override public void println() { text.append('\n'); }
        @Override public void println(boolean value) { print(value); println(); }
        @Override public void println(char value) { print(value); println(); }
        @Override public void println(int value) { print(value); println(); }
        @Override public void println(long value) { print(value); println(); }
        @Override public void println(float value) { print(value); println(); }
        @Override public void println(double value) { print(value); println(); }
        @Override public void println(char[] value) { print(value); println(); }
        @Override public void println(String value) { print(value); println(); }
        @Override public void println(Object value) { print(value); println(); }
        @Override public PrintStream printf(String format, Object... args) {
            text.append(String.format(Locale.ROOT, format, args));
            return this;
        }
    }

    /** Each line of the file: class, method, number of arguments, arguments, then `name=value` for static fields. */
    public static void main(String[] files) throws Exception {
        PrintStream out = new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), false, "UTF-8");
        StringBuilder results = new StringBuilder();
        try (BufferedReader reader = new BufferedReader(new FileReader(files[0]))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                results.append(run(line.split(" "))).append('\n');
                if (results.length() > 1 << 16) {
                    out.print(results);
                    results.setLength(0);
                }
            }
        }
        out.print(results);
        out.flush();
    }

    static String run(String[] words) throws Exception {
        Class<?> type = Class.forName(words[0]);
        Method method = null;
        int count = Integer.parseInt(words[2]);
        for (Method candidate : type.getDeclaredMethods()) {
            if (candidate.getName().equals(words[1]) && candidate.getParameterCount() == count) {
                method = candidate;
            }
        }
        method.setAccessible(true);
        Object[] args = new Object[count];
        for (int i = 0; i < count; i++) {
            String word = words[3 + i];
            args[i] = word.startsWith("@") ? args[Integer.parseInt(word.substring(1))] : read(method.getParameterTypes()[i], word);
        }
        Field[] fields = new Field[words.length - 3 - count];
        for (int i = 0; i < fields.length; i++) {
            String[] parts = words[3 + count + i].split("=", 2);
            fields[i] = type.getDeclaredField(parts[0]);
            fields[i].setAccessible(true);
            fields[i].set(null, read(fields[i].getType(), parts[1]));
        }
        Object receiver = null;
        if (!Modifier.isStatic(method.getModifiers())) {
            Constructor<?> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            receiver = constructor.newInstance();
        }
        Recorder recorder = new Recorder();
        System.setOut(recorder);
        StringBuilder result = new StringBuilder();
        try {
            Object value = method.invoke(receiver, args);
            result.append("returned ");
            result.append(method.getReturnType() == void.class ? "nothing" : write(value));
        } catch (InvocationTargetException e) {
            result.append("failed ").append(e.getCause().getClass().getSimpleName());
        }
        for (Object arg : args) {
            if (arg != null && arg.getClass().isArray()) {
                result.append(' ').append(write(arg));
            }
        }
        for (Field field : fields) {
            result.append(' ').append(field.getName()).append('=').append(write(field.get(null)));
        }
        return result.append(" output ").append(write(recorder.text.toString())).toString();
    }

    static Object read(Class<?> type, String word) {
        if (word.equals("null")) {
            return null;
        } else if (type == boolean.class) {
            return word.equals("1");
        } else if (type == byte.class) {
            return (byte) Long.parseLong(word);
        } else if (type == short.class) {
            return (short) Long.parseLong(word);
        } else if (type == char.class) {
            return (char) Long.parseLong(word);
        } else if (type == int.class) {
            return (int) Long.parseLong(word);
        } else if (type == long.class) {
            return Long.parseLong(word);
        } else if (type == float.class) {
            return word.equals("NaN") ? Float.NaN : Float.intBitsToFloat(Integer.parseUnsignedInt(word.substring(1), 16));
        } else if (type == double.class) {
            return word.equals("NaN") ? Double.NaN : Double.longBitsToDouble(Long.parseUnsignedLong(word.substring(1), 16));
        } else if (type == String.class) {
            StringBuilder text = new StringBuilder();
            for (int i = 1; i < word.length(); i += 4) {
                text.append((char) Integer.parseInt(word.substring(i, i + 4), 16));
            }
            return text.toString();
        }
        String inside = word.substring(1, word.length() - 1);
        String[] items = inside.isEmpty() ? new String[0] : inside.split(",");
        Object array = Array.newInstance(type.getComponentType(), items.length);
        for (int i = 0; i < items.length; i++) {
            Array.set(array, i, read(type.getComponentType(), items[i]));
        }
        return array;
    }

    static String write(Object value) {
        if (value == null) {
            return "null";
        } else if (value instanceof Boolean) {
            return (Boolean) value ? "1" : "0";
        } else if (value instanceof Character) {
            return Integer.toString((Character) value);
        } else if (value instanceof Float) {
            float f = (Float) value;
            return Float.isNaN(f) ? "NaN" : String.format("x%08x", Float.floatToRawIntBits(f));
        } else if (value instanceof Double) {
            double d = (Double) value;
            return Double.isNaN(d) ? "NaN" : String.format("x%016x", Double.doubleToRawLongBits(d));
        } else if (value instanceof String) {
            StringBuilder text = new StringBuilder("s");
            for (char unit : ((String) value).toCharArray()) {
                String digits = Integer.toHexString(unit);
                text.append("0000", digits.length(), 4).append(digits);
            }
            return text.toString();
        } else if (value.getClass().isArray()) {
            StringBuilder text = new StringBuilder("[");
            for (int i = 0; i < Array.getLength(value); i++) {
                text.append(i == 0 ? "" : ",").append(write(Array.get(value, i)));
            }
            return text.append(']').toString();
        }
        return value.toString();
    }
}
