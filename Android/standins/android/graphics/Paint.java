package android.graphics;

public class Paint {
    public static final int ANTI_ALIAS_FLAG = 1;

    private float size;

    public Paint(int flags) {}

    public void setColor(int color) {}

    public Typeface setTypeface(Typeface typeface) {
        return typeface;
    }

    public void setTextSize(float size) {
        this.size = size;
    }

    public float getTextSize() {
        return size;
    }

    public float measureText(char[] text, int index, int count) {
        return count * size / 2;
    }
}
