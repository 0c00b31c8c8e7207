import { useEffect, useState } from 'react';
import { ScrollView, Text, TextInput } from 'react-native';
import { Action, Answer, GivenSecret, Offer, SecretEntry, SecretField, SecretText, useScreen, useVault } from '@thumbturn/react-native';
import { Button } from './Button';
import { styles } from './styles';

/**
 * Any screen of the vault: its title, its texts, what the owner has to type or is shown, and a button for each of its offers.
 *
 * Every word comes with the screen, in the app's language.
 */
export function Screen({ name }: { readonly name: string }) {
  const { fields, error, send } = useScreen(name);
  const { secret, phrases } = useVault();
  const [entry, setEntry] = useState<SecretEntry | null>(null);
  const [typed, setTyped] = useState('');
  const [sent, setSent] = useState(0);
  const [given, setGiven] = useState<GivenSecret | undefined>(undefined);
  // What is shown goes with its step, which leaving the app ends.
  useEffect(() => setGiven(undefined), [fields?.step]);

  const offers = fields?.offers ?? [];
  const takesSecret = offers.some(({ action }) => action.secret === 'taken');
  // A recovery key and words have letters.
  const asksOwnSecret = name !== 'recover' && offers.some(({ action }) => ['submitSecret', 'chooseSecret', 'enable', 'disable'].includes(action.name));
  const kind = asksOwnSecret ? secret.kind : 'password';
  const asksText = offers.some(({ action }) => emptyMember(action) !== undefined);
  const phrase = name === 'recover' || fields?.state === 'UNLOCKED' ? phrases.olderCopy : phrases.reset;
  const message = error?.message ?? messageOf(fields?.notice) ?? messageOf(fields?.error);

  const press = ({ action }: Offer): void => {
    // What is refused stands on the screen. A field that was used is emptied: its entry counts once.
    const done = (answer?: Answer): void => {
      setEntry(null);
      setTyped('');
      setSent((count) => count + 1);
      setGiven(answer?.secret);
    };
    const member = emptyMember(action);
    const filled = member === undefined ? action : { ...action, [member]: typed };
    send(filled, action.secret === 'taken' ? entry ?? undefined : undefined).then(done, () => done());
  };

  return (
    <ScrollView contentContainerStyle={styles.screen} keyboardShouldPersistTaps="handled">
      {fields?.title ? <Text accessibilityRole="header" style={styles.title}>{fields.title}</Text> : null}
      {(fields?.texts ?? []).map((text) => <Text key={text} style={styles.text}>{text.replace('%@', phrase ?? '')}</Text>)}
      {message ? <Text accessibilityRole="alert" style={styles.message}>{message}</Text> : null}
      {given ? <SecretText secret={given} style={styles.words} /> : null}
      {takesSecret ? <SecretField key={sent} kind={kind} onEntry={setEntry} style={styles.field} /> : null}
      {asksText ? <TextInput value={typed} onChangeText={setTyped} autoCapitalize="none" autoCorrect={false} style={styles.field} /> : null}
      {offers.map((offer) => (
        <Button
          key={offer.label}
          label={offer.label}
          disabled={fields?.isBusy === true || fields?.loading === true || (offer.action.secret === 'taken' && !entry)}
          onPress={() => press(offer)}
        />
      ))}
    </ScrollView>
  );
}

/** The member of an action that the owner has to type. */
function emptyMember(action: Action): string | undefined {
  return Object.keys(action).find((member) => action[member] === '');
}

function messageOf(refusal: unknown): string | undefined {
  const { message } = (refusal ?? {}) as { readonly message?: unknown };
  return typeof message === 'string' ? message : undefined;
}
