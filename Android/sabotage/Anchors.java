package org.thumbturn.device;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;

/** The mistake: an anchor in the app's folder, which goes back with it. */
final class Anchors {
    Anchors(Keystore keystore) {}

    String position(String name) throws Refusal {
        try {
            return file(name).exists() ? new String(Files.readAllBytes(file(name).toPath()), StandardCharsets.UTF_8) : null;
        } catch (IOException failure) {
            throw new Refusal(Refusal.UNAVAILABLE, failure);
        }
    }

    boolean move(String name, String from, String to) throws Refusal {
        String present = position(name);
        if (present == null ? from != null : !present.equals(from)) return false;
        if (present != null && present.substring(0, 16).compareTo(to.substring(0, 16)) >= 0) return false;
        try {
            Files.write(file(name).toPath(), to.getBytes(StandardCharsets.UTF_8));
        } catch (IOException failure) {
            throw new Refusal(Refusal.UNAVAILABLE, failure);
        }
        return true;
    }

    void remove(String name) {
        file(name).delete();
    }

    private static File file(String name) {
        return new File(org.thumbturn.standin.Phone.app().getNoBackupFilesDir(), "anchor-" + PrivateFolder.fileName(name));
    }
}
