package org.thumbturn.device;

import android.system.ErrnoException;
import android.system.Os;
import android.system.OsConstants;
import java.io.File;
import java.io.FileDescriptor;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * Small files of the app, below {@code getNoBackupFilesDir()}: no backup of the system takes them.
 *
 * <p>It asks the system itself, because java.io answers "is not there" for a file that can't be read.
 */
final class PrivateFolder {
    private static final int LIMIT = 128 * 1024;
    private static final String FRESH = ".new";

    private final String parent;
    private final String path;

    PrivateFolder(File parent, String name) {
        this.parent = parent.getPath();
        path = new File(parent, name).getPath();
    }

    /** Returns a file's bytes; null if it is certainly not there. */
    byte[] read(String name) throws Refusal {
        FileDescriptor file;
        try {
            file = Os.open(at(name), OsConstants.O_RDONLY, 0);
        } catch (ErrnoException failure) {
            if (failure.errno == OsConstants.ENOENT) return null;
            throw RefusalTable.ofFiles(failure);
        }
        try {
            byte[] bytes = new byte[LIMIT];
            int count = 0;
            while (count < LIMIT) {
                int more = Os.read(file, bytes, count, LIMIT - count);
                if (more <= 0) return Arrays.copyOf(bytes, count);
                count += more;
            }
            throw new Refusal(Refusal.DAMAGED);
        } catch (ErrnoException failure) {
            throw RefusalTable.ofFiles(failure);
        } catch (InterruptedIOException failure) {
            throw new Refusal(Refusal.UNAVAILABLE, failure);
        } finally {
            close(file);
        }
    }

    /** Writes a file, whole or not at all, durably when this returns. */
    void write(String name, byte[] bytes) throws Refusal {
        try {
            makeFolder();
            String fresh = at(name) + FRESH;
            int flags = OsConstants.O_WRONLY | OsConstants.O_CREAT | OsConstants.O_TRUNC;
            FileDescriptor file = Os.open(fresh, flags, 0600);
            try {
                for (int count = 0; count < bytes.length;) count += Os.write(file, bytes, count, bytes.length - count);
                Os.fsync(file);
            } finally {
                close(file);
            }
            Os.rename(fresh, at(name));
            sync(path);
        } catch (ErrnoException failure) {
            remains(name);
            throw RefusalTable.ofFiles(failure);
        } catch (IOException failure) {
            remains(name);
            throw new Refusal(Refusal.UNAVAILABLE, failure);
        }
    }

    /** Deletes a file; does nothing if it is not there. */
    void delete(String name) throws Refusal {
        try {
            Os.remove(at(name));
            sync(path);
        } catch (ErrnoException failure) {
            if (failure.errno != OsConstants.ENOENT) throw RefusalTable.ofFiles(failure);
        }
    }

    /** Returns the file's name for an item's name, which may hold a slash. */
    static String fileName(String name) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(name.getBytes(java.nio.charset.StandardCharsets.UTF_8));
            return Hex.of(digest);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private String at(String name) {
        return path + "/" + name;
    }

    private void makeFolder() throws ErrnoException {
        try {
            Os.mkdir(path, 0700);
            sync(parent);
        } catch (ErrnoException failure) {
            if (failure.errno != OsConstants.EEXIST) throw failure;
        }
    }

    /** What was made in a folder, renamed there or removed, is durable with the folder alone. */
    private static void sync(String path) throws ErrnoException {
        FileDescriptor folder = Os.open(path, OsConstants.O_RDONLY, 0);
        try {
            Os.fsync(folder);
        } finally {
            close(folder);
        }
    }

    /** Removes what a failed write left, so that a full disk is not fuller. */
    private void remains(String name) {
        try {
            Os.remove(at(name) + FRESH);
        } catch (ErrnoException ignored) {
            // The next write of this name truncates it.
        }
    }

    private static void close(FileDescriptor file) {
        try {
            Os.close(file);
        } catch (ErrnoException ignored) {
            // What had to be durable was synchronised before.
        }
    }
}
