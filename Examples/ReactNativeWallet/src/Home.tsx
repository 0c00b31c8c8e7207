import { useState } from 'react';
import { ScrollView, Text } from 'react-native';
import { useAppUnlock, useScreen } from '@thumbturn/react-native';
import { Button } from './Button';
import { Settings } from './Settings';
import { styles } from './styles';
import { words } from './words';

interface Wallet {
  readonly id: string;
  readonly name: string;
}

/** What is there while the vault is open: the wallets' names, and the settings. */
export function Home() {
  const { fields, send } = useScreen('wallets');
  const { lock } = useAppUnlock();
  const [inSettings, setInSettings] = useState(false);
  const wallets = (fields?.list ?? []) as readonly Wallet[];

  if (inSettings) return <Settings onBack={() => setInSettings(false)} />;
  const add = (): void => {
    // A refusal stands in the fields; the list comes by itself.
    send({ name: 'create', wallet: `${words.wallet} ${wallets.length + 1}` }).catch(() => undefined);
  };
  return (
    <ScrollView contentContainerStyle={styles.screen}>
      <Text accessibilityRole="header" style={styles.title}>{words.wallets}</Text>
      {wallets.map(({ id, name }) => <Text key={id} style={styles.text}>{name}</Text>)}
      {fields?.error ? <Text accessibilityRole="alert" style={styles.message}>{fields.error.message}</Text> : null}
      <Button label={words.newWallet} disabled={fields?.loading === true} onPress={add} />
      <Button label={words.settings} onPress={() => setInSettings(true)} />
      <Button label={words.lock} onPress={() => void lock().catch(() => undefined)} />
    </ScrollView>
  );
}
