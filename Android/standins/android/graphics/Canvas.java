package android.graphics;

public class Canvas {
    /** For tests: how many dots were drawn. */
    public int circles;
    /** For tests: what was written, with a line end where the next line begins. */
    public final StringBuilder text = new StringBuilder();
    private float line;

    public void drawCircle(float x, float y, float radius, Paint paint) {
        circles++;
    }

    public void drawText(char[] text, int index, int count, float x, float y, Paint paint) {
        if (line != 0 && y != line) this.text.append('\n');
        line = y;
        this.text.append(text, index, count);
    }

    public void drawRect(float left, float top, float right, float bottom, Paint paint) {}
}
