package android.graphics;

public class Typeface {
    public static final Typeface MONOSPACE = new Typeface();
}
