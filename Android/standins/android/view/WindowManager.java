package android.view;

public interface WindowManager {
    class LayoutParams extends ViewGroup.LayoutParams {
        public static final int FLAG_SECURE = 0x2000;

        public LayoutParams() {
            super(MATCH_PARENT, MATCH_PARENT);
        }
    }
}
