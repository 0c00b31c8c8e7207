import { useSyncExternalStore } from 'react';
import { VaultError } from './refusal';
import { Offer, ScreenFields, isObject } from './value';
import { vault } from './vault';

/** A sensor, as seed 002 names it. */
export type BiometryType = 'FACE_ID' | 'TOUCH_ID' | 'NONE';

/** What a screen shows, null before there is anything, or why there will be nothing. */
export type Shown = ScreenFields | null | VaultError;

/** Follows one screen: renders once for each change of it. */
export function useShown(name: string): Shown {
  const read = (): Shown => {
    const { fault, screens } = vault.read();
    return fault ?? screens[name] ?? null;
  };
  return useSyncExternalStore(vault.subscribe, read, read);
}

export function readBiometry(name: unknown): BiometryType {
  return name === 'faceID' ? 'FACE_ID' : name === 'touchID' ? 'TOUCH_ID' : 'NONE';
}

export function readCount(count: unknown): number {
  return typeof count === 'number' && count > 0 ? count : 0;
}

export function readText(text: unknown): string | undefined {
  return typeof text === 'string' ? text : undefined;
}

export function readTexts(fields: ScreenFields | null): readonly string[] {
  return Array.isArray(fields?.texts) ? (fields?.texts as string[]) : none;
}

export function readOffers(fields: ScreenFields | null): readonly Offer[] {
  if (!Array.isArray(fields?.offers)) return none;
  return (fields?.offers as Offer[]).filter((offer) => isObject(offer) && isObject(offer.action) && typeof offer.label === 'string');
}

const none: readonly never[] = [];
