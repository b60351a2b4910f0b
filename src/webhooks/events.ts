// What a site's webhooks can be told of (decisions.md, section 11), and the door for what does not come out of the content
// log. Names are part of the API: add, never rename.

export type WebhookEventName =
  | 'content.created'
  | 'content.updated'
  | 'content.renamed'
  | 'content.published'
  | 'content.unpublished'
  | 'content.archived'
  | 'content.deleted'
  | 'content.restored'
  | 'form.submitted'
  | 'media.uploaded'
  | 'media.deleted'
  | 'deploy.started'
  | 'deploy.success'
  | 'deploy.failure'
  | 'backup.completed'
  | 'backup.failed'
  | 'agent.completed'
  | 'agent.failed';

export interface EventActor {
  /** `user`, `ai`, `import`, `system`; `visitor` of a form. */
  kind: string;
  id?: string;
  name?: string;
  /** `push`: the name is what the commit says; `pushedBy` is the account that pushed it through the service. */
  via?: 'push';
  pushedBy?: string;
}

export interface NewEvent {
  event: WebhookEventName;
  actor: EventActor;
  /** JSON. Whatever is in it leaves the service: no secrets. */
  data: object;
  at?: Date;
  /** Events of one key reach a webhook in order. Default: the event's name. */
  key?: string;
  /** Stable where the same event may be told twice. Made up if absent. */
  id?: string;
}

export interface Events {
  /** Resolves once durable, at once where no webhook wants the event. @throws ServiceError `storage_full` */
  emit(event: NewEvent): Promise<void>;
}
