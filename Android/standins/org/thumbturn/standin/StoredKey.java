package org.thumbturn.standin;

import android.security.keystore.KeyGenParameterSpec;
import android.security.keystore.KeyProperties;
import java.util.Base64;
import java.util.Properties;

/** One entry of the key store: a key, and what it may be used for. */
public final class StoredKey {
    public String alias;
    public String algorithm;
    byte[] key;
    byte[] publicKey = new byte[0];
    int purposes;
    String digests = "";
    String paddings = "";
    String blockModes = "";
    /** Who must be there: the sensor's set or the lock screen's secret; 0 for nobody. */
    long sid;
    public int authenticators;
    public int timeout;
    public boolean isBoundToSensor;
    boolean isUnlockedDeviceRequired;
    public int level = KeyProperties.SECURITY_LEVEL_TRUSTED_ENVIRONMENT;

    public boolean isGuarded() {
        return sid != 0;
    }

    StoredKey() {}

    StoredKey(String algorithm, KeyGenParameterSpec spec) {
        this.algorithm = algorithm;
        alias = spec.alias;
        purposes = spec.purposes;
        digests = String.join(",", spec.digests);
        paddings = String.join(",", spec.paddings);
        blockModes = String.join(",", spec.blockModes);
        isUnlockedDeviceRequired = spec.isUnlockedDeviceRequired;
        level = Phone.securityLevel;
        if (!spec.isUserAuthenticationRequired) return;
        authenticators = spec.authenticators;
        timeout = spec.timeout;
        // [aosp KeymasterUtils.java, change 2fd15b0be251] With the lock screen's secret in the set, or a key that survives an
        // enrolment, the lock screen's id is bound; else the sensor's, which each enrolment changes.
        isBoundToSensor = (authenticators & KeyProperties.AUTH_DEVICE_CREDENTIAL) == 0 && timeout == 0 && spec.isInvalidatedByEnrolment;
        sid = isBoundToSensor ? Phone.sensorID : Phone.rootSid;
        // A fault of a phone's vendor: the key comes out weaker than it was asked for (A32).
        if (Phone.takes("weaker-key")) {
            sid = 0;
            authenticators = 0;
            isBoundToSensor = false;
        }
    }

    Properties properties() {
        Properties all = new Properties();
        all.setProperty("alias", alias);
        all.setProperty("algorithm", algorithm);
        all.setProperty("key", Base64.getEncoder().encodeToString(key));
        all.setProperty("publicKey", Base64.getEncoder().encodeToString(publicKey));
        all.setProperty("purposes", "" + purposes);
        all.setProperty("digests", digests);
        all.setProperty("paddings", paddings);
        all.setProperty("blockModes", blockModes);
        all.setProperty("sid", "" + sid);
        all.setProperty("authenticators", "" + authenticators);
        all.setProperty("timeout", "" + timeout);
        all.setProperty("isBoundToSensor", "" + isBoundToSensor);
        all.setProperty("isUnlockedDeviceRequired", "" + isUnlockedDeviceRequired);
        all.setProperty("level", "" + level);
        return all;
    }

    static StoredKey of(Properties all) {
        StoredKey entry = new StoredKey();
        entry.alias = all.getProperty("alias");
        entry.algorithm = all.getProperty("algorithm");
        entry.key = Base64.getDecoder().decode(all.getProperty("key"));
        entry.publicKey = Base64.getDecoder().decode(all.getProperty("publicKey"));
        entry.purposes = Integer.parseInt(all.getProperty("purposes"));
        entry.digests = all.getProperty("digests");
        entry.paddings = all.getProperty("paddings");
        entry.blockModes = all.getProperty("blockModes");
        entry.sid = Long.parseLong(all.getProperty("sid"));
        entry.authenticators = Integer.parseInt(all.getProperty("authenticators"));
        entry.timeout = Integer.parseInt(all.getProperty("timeout"));
        entry.isBoundToSensor = Boolean.parseBoolean(all.getProperty("isBoundToSensor"));
        entry.isUnlockedDeviceRequired = Boolean.parseBoolean(all.getProperty("isUnlockedDeviceRequired"));
        entry.level = Integer.parseInt(all.getProperty("level"));
        return entry;
    }
}
