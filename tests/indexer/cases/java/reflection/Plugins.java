package plugins;

import java.lang.reflect.Method;

public class Plugins {
    public void start(String name) {}

    public void stop() {}

    public void stop(int code) {}

    Object literal() throws Exception {
        return Plugins.class.getMethod("start", String.class); //: calls Plugins.start
    }

    Object unknown(Class<?> kind) throws Exception {
        return kind.getMethod("start", String.class); //: calls Plugins.start
    }

    Object ambiguous(Class<?> kind) throws Exception {
        return kind.getDeclaredMethod("stop"); //: calls -
    }

    Object loaded() throws Exception {
        return Class.forName("plugins.Audio").getMethod("play"); //: calls Audio.java::Audio.play
    }

    Object library() throws Exception {
        return String.class.getMethod("start"); //: calls -
    }

    Object other(Class<?> kind, String name) throws Exception {
        Method method = kind.getMethod(name); //: calls -
        return method.invoke(null); //: calls -
    }
}
