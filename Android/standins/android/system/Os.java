package android.system;

import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import org.thumbturn.standin.Phone;

/** [doc] The system's own calls; each can be stopped or made to fail. */
public final class Os {
    private static final Map<FileDescriptor, Object> OPEN = Collections.synchronizedMap(new IdentityHashMap<>());

    private Os() {}

    public static FileDescriptor open(String path, int flags, int mode) throws ErrnoException {
        Phone.fileCall("open");
        File file = new File(path);
        try {
            if (file.isDirectory()) {
                FileDescriptor folder = new FileDescriptor();
                OPEN.put(folder, path);
                return folder;
            }
            if ((flags & OsConstants.O_WRONLY) == 0) {
                if (!file.exists()) throw new ErrnoException("open", OsConstants.ENOENT);
                FileInputStream stream = new FileInputStream(file);
                OPEN.put(stream.getFD(), stream);
                return stream.getFD();
            }
            FileOutputStream stream = new FileOutputStream(file);
            OPEN.put(stream.getFD(), stream);
            return stream.getFD();
        } catch (IOException failure) {
            throw new ErrnoException("open", OsConstants.EIO);
        }
    }

    public static int read(FileDescriptor file, byte[] bytes, int offset, int count) throws ErrnoException, InterruptedIOException {
        Phone.fileCall("read");
        try {
            return Math.max(0, ((FileInputStream) OPEN.get(file)).read(bytes, offset, count));
        } catch (IOException failure) {
            throw new ErrnoException("read", OsConstants.EIO);
        }
    }

    public static int write(FileDescriptor file, byte[] bytes, int offset, int count) throws ErrnoException, InterruptedIOException {
        Phone.fileCall("write");
        try {
            ((FileOutputStream) OPEN.get(file)).write(bytes, offset, count);
            return count;
        } catch (IOException failure) {
            throw new ErrnoException("write", OsConstants.EIO);
        }
    }

    public static void fsync(FileDescriptor file) throws ErrnoException {
        Phone.fileCall("fsync");
    }

    public static void close(FileDescriptor file) throws ErrnoException {
        Object stream = OPEN.remove(file);
        try {
            if (stream instanceof FileInputStream) ((FileInputStream) stream).close();
            if (stream instanceof FileOutputStream) ((FileOutputStream) stream).close();
        } catch (IOException failure) {
            throw new ErrnoException("close", OsConstants.EIO);
        }
    }

    public static void mkdir(String path, int mode) throws ErrnoException {
        Phone.fileCall("mkdir");
        if (new File(path).exists()) throw new ErrnoException("mkdir", OsConstants.EEXIST);
        if (!new File(path).mkdir()) throw new ErrnoException("mkdir", OsConstants.ENOENT);
    }

    public static void rename(String from, String to) throws ErrnoException {
        Phone.fileCall("rename");
        if (!new File(from).renameTo(new File(to))) throw new ErrnoException("rename", OsConstants.EIO);
    }

    public static void remove(String path) throws ErrnoException {
        Phone.fileCall("remove");
        if (!new File(path).exists()) throw new ErrnoException("remove", OsConstants.ENOENT);
        if (!new File(path).delete()) throw new ErrnoException("remove", OsConstants.EIO);
    }
}
