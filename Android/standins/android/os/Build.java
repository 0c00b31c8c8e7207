package android.os;

public class Build {
    public static class VERSION {
        /** A knob here: the level as which the stand-ins behave. */
        public static int SDK_INT = 34;
    }

    /** Throws as a phone does that has no such member yet. */
    public static void require(int level, String member) {
        if (VERSION.SDK_INT < level) throw new NoSuchMethodError(member + " comes with " + level);
    }
}
