package android.system;

public final class OsConstants {
    public static final int O_RDONLY = field(0);
    public static final int O_WRONLY = field(1);
    public static final int O_CREAT = field(0100);
    public static final int O_TRUNC = field(01000);
    public static final int ENOENT = field(2);
    public static final int EIO = field(5);
    public static final int EEXIST = field(17);
    public static final int ENOSPC = field(28);

    private OsConstants() {}

    private static int field(int value) {
        return value;
    }
}
