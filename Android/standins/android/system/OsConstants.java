package android.system;

public final class OsConstants {
    public static final int O_RDONLY = 0;
    public static final int O_WRONLY = 1;
    public static final int O_CREAT = 0100;
    public static final int O_TRUNC = 01000;
    public static final int ENOENT = 2;
    public static final int EIO = 5;
    public static final int EEXIST = 17;
    public static final int ENOSPC = 28;

    private OsConstants() {}
}
