package org.thumbturn.device;

import java.security.SecureRandom;

/**
 * Names this installation of the app, by a file and an entry of the key store.
 *
 * <p>Android removes both with the app. A file without its entry was restored elsewhere, and an entry without its file
 * belongs to a folder that was emptied: both are a new installation.
 */
final class Installation {
    private static final String FILE = "installation";
    private static final String PREFIX = "thumbturn/installation/";

    private final Keystore keystore;
    private final PrivateFolder folder;
    private String assurance;

    Installation(Keystore keystore, PrivateFolder folder) {
        this.keystore = keystore;
        this.folder = folder;
    }

    /** Returns 32 digits. */
    String name() throws Refusal {
        byte[] stored = folder.read(FILE);
        if (stored != null && stored.length == 16 && keystore.contains(PREFIX + Hex.of(stored))) return Hex.of(stored);
        byte[] name = new byte[16];
        new SecureRandom().nextBytes(name);
        for (String alias : keystore.aliases()) if (alias.startsWith(PREFIX)) keystore.delete(alias);
        // The entry first: a file without one counts as a copy from another phone.
        keystore.makeSecret(PREFIX + Hex.of(name));
        folder.write(FILE, name);
        return Hex.of(name);
    }

    /** Returns what guards this app's keys, as the system says it of one that it made (C14). */
    String assurance() throws Refusal {
        if (assurance == null) assurance = keystore.isInHardware(PREFIX + name()) ? "hardwareBound" : "osKeychain";
        return assurance;
    }
}
