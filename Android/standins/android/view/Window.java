package android.view;

public class Window {
    private final ViewGroup decor = new ViewGroup(null);
    /** For tests: its flags. */
    public int flags;

    public void addFlags(int flags) {
        this.flags |= flags;
    }

    public View getDecorView() {
        return decor;
    }
}
