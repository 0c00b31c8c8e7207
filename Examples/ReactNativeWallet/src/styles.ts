/** Plain, so that the screens' words are all there is to see. */
export const styles = {
  app: { flex: 1 },
  screen: { flexGrow: 1, gap: 16, justifyContent: 'center', padding: 24 },
  title: { fontSize: 28, fontWeight: '600' },
  text: { flexShrink: 1, fontSize: 17 },
  message: { color: '#b00020', fontSize: 17 },
  field: { borderBottomWidth: 1, fontSize: 24, minHeight: 48 },
  words: { height: 400 },
  row: { alignItems: 'center', flexDirection: 'row', justifyContent: 'space-between' },
  button: { alignItems: 'center', minHeight: 44, justifyContent: 'center' },
  label: { color: '#0a5', fontSize: 17 },
  inactive: { color: '#888', fontSize: 17 },
} as const;
