package android.system;

import java.io.Closeable;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.thumbturn.standin.Phone;

/** [doc] The system's own calls; each can be stopped or made to fail. */
public final class Os {
    private static final Map<FileDescriptor, Opened> OPEN = Collections.synchronizedMap(new IdentityHashMap<>());
    /** [doc fsync(2)] What a power loss may still undo: files that were written, and folders whose names changed. */
    private static final Set<String> UNSYNCED = Collections.synchronizedSet(new HashSet<>());

    private Os() {}

    /** Returns what was changed and not synchronised, and forgets it. */
    public static List<String> takeUnsynced() {
        List<String> all = new ArrayList<>(UNSYNCED);
        UNSYNCED.clear();
        return all;
    }

    private static final class Opened {
        final String path;
        final Closeable stream; // null for a folder

        Opened(String path, Closeable stream) {
            this.path = path;
            this.stream = stream;
        }
    }

    private static FileDescriptor opened(FileDescriptor file, String path, Closeable stream) {
        OPEN.put(file, new Opened(path, stream));
        return file;
    }

    public static FileDescriptor open(String path, int flags, int mode) throws ErrnoException {
        Phone.fileCall("open");
        File file = new File(path);
        try {
            if (file.isDirectory()) {
                return opened(new FileDescriptor(), path, null);
            }
            if ((flags & OsConstants.O_WRONLY) == 0) {
                if (!file.exists()) throw new ErrnoException("open", OsConstants.ENOENT);
                FileInputStream stream = new FileInputStream(file);
                return opened(stream.getFD(), path, stream);
            }
            if (!file.exists()) UNSYNCED.add(file.getParent());
            UNSYNCED.add(path);
            FileOutputStream stream = new FileOutputStream(file);
            return opened(stream.getFD(), path, stream);
        } catch (IOException failure) {
            throw new ErrnoException("open", OsConstants.EIO);
        }
    }

    public static int read(FileDescriptor file, byte[] bytes, int offset, int count) throws ErrnoException, InterruptedIOException {
        Phone.fileCall("read");
        try {
            return Math.max(0, ((FileInputStream) OPEN.get(file).stream).read(bytes, offset, count));
        } catch (IOException failure) {
            throw new ErrnoException("read", OsConstants.EIO);
        }
    }

    public static int write(FileDescriptor file, byte[] bytes, int offset, int count) throws ErrnoException, InterruptedIOException {
        Phone.fileCall("write");
        try {
            ((FileOutputStream) OPEN.get(file).stream).write(bytes, offset, count);
            return count;
        } catch (IOException failure) {
            throw new ErrnoException("write", OsConstants.EIO);
        }
    }

    public static void fsync(FileDescriptor file) throws ErrnoException {
        Phone.fileCall("fsync");
        UNSYNCED.remove(OPEN.get(file).path);
    }

    public static void close(FileDescriptor file) throws ErrnoException {
        Closeable stream = OPEN.remove(file).stream;
        try {
            if (stream != null) stream.close();
        } catch (IOException failure) {
            throw new ErrnoException("close", OsConstants.EIO);
        }
    }

    public static void mkdir(String path, int mode) throws ErrnoException {
        Phone.fileCall("mkdir");
        if (new File(path).exists()) throw new ErrnoException("mkdir", OsConstants.EEXIST);
        if (!new File(path).mkdir()) throw new ErrnoException("mkdir", OsConstants.ENOENT);
        UNSYNCED.add(new File(path).getParent());
    }

    public static void rename(String from, String to) throws ErrnoException {
        Phone.fileCall("rename");
        if (!new File(from).renameTo(new File(to))) throw new ErrnoException("rename", OsConstants.EIO);
        if (UNSYNCED.remove(from)) UNSYNCED.add(to);
        UNSYNCED.add(new File(to).getParent());
    }

    public static void remove(String path) throws ErrnoException {
        Phone.fileCall("remove");
        if (!new File(path).exists()) throw new ErrnoException("remove", OsConstants.ENOENT);
        if (!new File(path).delete()) throw new ErrnoException("remove", OsConstants.EIO);
        UNSYNCED.remove(path);
        UNSYNCED.add(new File(path).getParent());
    }
}
