import { useState } from 'react';
import { ScrollView, Switch, Text, View } from 'react-native';
import { SecretEntry, SecretField, useBiometricSettings, useVault } from '@thumbturn/react-native';
import { Button } from './Button';
import { styles } from './styles';
import { words } from './words';

/** Settings ▸ Security: the toggle for biometrics (C9). */
export function Settings({ onBack }: { readonly onBack: () => void }) {
  return (
    <ScrollView contentContainerStyle={styles.screen}>
      <Text accessibilityRole="header" style={styles.title}>{words.security}</Text>
      <BiometricToggle />
      <Button label={words.back} onPress={onBack} />
    </ScrollView>
  );
}

/** Hidden without a sensor; inactive, with the reason, where biometrics can't be turned on; turning them off always works. */
export function BiometricToggle() {
  const biometrics = useBiometricSettings();
  const { secret } = useVault();
  const [isAsking, setIsAsking] = useState(false);
  if (!biometrics.isShown) return null;

  const { enabled, obstacle, offers, texts, title } = biometrics;
  const change = async (entry?: SecretEntry): Promise<void> => {
    setIsAsking(false);
    // What is refused stands in `error` until the next call.
    await (enabled ? biometrics.disable(undefined, entry) : biometrics.enable(entry ?? '')).catch(() => undefined);
  };
  const turn = (): void => {
    if (enabled && !biometrics.asksSecretToDisable) void change();
    else setIsAsking(true);
  };
  return (
    <View>
      <View style={styles.row}>
        <Text style={styles.text}>{title}</Text>
        <Switch
          accessibilityLabel={title}
          value={enabled}
          disabled={biometrics.loading || (!enabled && obstacle !== undefined)}
          onValueChange={turn}
        />
      </View>
      {texts.map((text) => <Text key={text} style={styles.text}>{text}</Text>)}
      {obstacle ? <Text style={styles.text}>{obstacle.message}</Text> : null}
      {biometrics.error ? <Text accessibilityRole="alert" style={styles.message}>{biometrics.error.message}</Text> : null}
      {isAsking ? <AskSecret kind={secret.kind} label={offers[0]?.label ?? ''} onEntry={(entry) => void change(entry)} /> : null}
    </View>
  );
}

interface AskSecretProps {
  readonly kind: 'pin' | 'password';
  readonly label: string;
  readonly onEntry: (entry: SecretEntry) => void;
}

/** Asks for the PIN or password once; the button is the offer's own. */
function AskSecret({ kind, label, onEntry }: AskSecretProps) {
  const [entry, setEntry] = useState<SecretEntry | null>(null);
  return (
    <View>
      <SecretField kind={kind} onEntry={setEntry} style={styles.field} />
      <Button label={label} disabled={!entry} onPress={() => entry && onEntry(entry)} />
    </View>
  );
}
