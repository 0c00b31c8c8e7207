import { Pressable, Text } from 'react-native';
import { styles } from './styles';

interface ButtonProps {
  readonly label: string;
  readonly disabled?: boolean;
  readonly onPress: () => void;
}

export function Button({ label, disabled = false, onPress }: ButtonProps) {
  return (
    <Pressable accessibilityRole="button" disabled={disabled} onPress={onPress} style={styles.button}>
      <Text style={disabled ? styles.inactive : styles.label}>{label}</Text>
    </Pressable>
  );
}
