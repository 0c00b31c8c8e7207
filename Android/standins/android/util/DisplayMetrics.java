package android.util;

public class DisplayMetrics {
    public float scaledDensity = 1;
}
