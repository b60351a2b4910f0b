// Made by `npm run admin-types` from the API description; do not edit.
export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Name, version and API prefix */
        get: operations["getRoot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process answers; touches nothing else */
        get: operations["getHealthz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the service is ready, and the problems if it is not */
        get: operations["getReadyz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Prometheus metrics; for the service token, or from this machine */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This description, with the collections of a site that the caller may read as concrete types */
        get: operations["getOpenapiJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/content/{collection}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Documents of a collection */
        get: operations["getContentByCollection"];
        put?: never;
        /** Create a document */
        post: operations["postContentByCollection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/content/{collection}/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One document */
        get: operations["getContentByCollectionBySlug"];
        /** Change a document; data is merged by its top-level keys */
        put: operations["putContentByCollectionBySlug"];
        post?: never;
        /** Delete a document; its history stays */
        delete: operations["deleteContentByCollectionBySlug"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cms/{collection}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Documents of a collection */
        get: operations["getCmsByCollection"];
        put?: never;
        /** Create a document */
        post: operations["postCmsByCollection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cms/{collection}/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One document */
        get: operations["getCmsByCollectionBySlug"];
        /** Change a document; data is merged by its top-level keys */
        put: operations["putCmsByCollectionBySlug"];
        post?: never;
        /** Delete a document; its history stays */
        delete: operations["deleteCmsByCollectionBySlug"];
        options?: never;
        head?: never;
        /** Change a document; data is merged by its top-level keys */
        patch: operations["patchCmsByCollectionBySlug"];
        trace?: never;
    };
    "/api/cms/{collection}/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Many changes in one request: each a commit, or with `atomic` all of them one commit or nothing */
        post: operations["postCmsByCollectionBulk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cms/{collection}/facets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many documents of a list have which status, locale and tags */
        get: operations["getCmsByCollectionFacets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cms/{collection}/{slug}/references": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who points to a document: relations, and links in rich text */
        get: operations["getCmsByCollectionBySlugReferences"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/content/{collection}/{slug}/_fieldMeta": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Locks and AI provenance of a document’s fields */
        get: operations["getContentByCollectionBySlugFieldMeta"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/content/{collection}/{slug}/_fieldMeta/lock-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Lock every AI-generated field */
        put: operations["putContentByCollectionBySlugFieldMetaLockAll"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/content/{collection}/{slug}/_fieldMeta/unlock-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Unlock every field */
        put: operations["putContentByCollectionBySlugFieldMetaUnlockAll"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/content/{collection}/{slug}/_fieldMeta/{fieldPath}/lock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Lock a field against AI writes */
        put: operations["putContentByCollectionBySlugFieldMetaByFieldPathLock"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/content/{collection}/{slug}/_fieldMeta/{fieldPath}/unlock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Unlock a field */
        put: operations["putContentByCollectionBySlugFieldMetaByFieldPathUnlock"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Import documents of files: what has changed in a file since its last import, and nothing else */
        post: operations["postAdminImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cms/{collection}/{slug}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a link that shows one document for an hour, also a draft, also what is not saved */
        post: operations["postCmsByCollectionBySlugPreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/preview/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The document of a preview; open to everybody who has the token */
        get: operations["getPreviewByToken"];
        /** Replace what a preview shows, until the service restarts if it was made without data; takes its maker, or content:write */
        put: operations["putPreviewByToken"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/preview/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A preview as a page of the site’s theme; open to everybody who has the token */
        get: operations["getPreviewByToken2"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/preview/{token}/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A file of the theme that a preview’s page shows */
        get: operations["getPreviewByTokenByFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cms/{collection}/{slug}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A document’s history, newest first, across renames; a deleted document is found by its last slug or id */
        get: operations["getCmsByCollectionBySlugHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cms/{collection}/{slug}/history/{commit}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The document as it was at a commit of the log */
        get: operations["getCmsByCollectionBySlugHistoryByCommit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cms/{collection}/{slug}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The differences between two versions: keys of the document, then fields of its data */
        get: operations["getCmsByCollectionBySlugDiff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cms/{collection}/{slug}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Restore a version of a document, which may be deleted */
        post: operations["postCmsByCollectionBySlugRestore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/trash": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Deleted documents, newest first */
        get: operations["getAdminTrash"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cms/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every change since a commit, oldest first, or the newest first; with `Accept: text/event-stream` also future changes */
        get: operations["getCmsChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every collection and block with its JSON Schema */
        get: operations["getSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schema/{collection}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One collection's JSON Schema */
        get: operations["getSchemaByCollection"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/manifest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The site's whole configuration, without secrets */
        get: operations["getManifest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Documents and media that have every term; X-Total-Count is the number of matches */
        get: operations["getSearch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Upload a file; the same bytes in the same folder are the same file */
        post: operations["postUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/media": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Media files, the newest first */
        get: operations["getMedia"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/media/folders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Folders of media, with the number of their files */
        get: operations["getMediaFolders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/media/{folder}/{name}/references": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Which documents use a file: in fields, rich text and HTML */
        get: operations["getMediaByFolderByNameReferences"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/media/{name}/references": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Which documents use a file: in fields, rich text and HTML */
        get: operations["getMediaByNameReferences"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/media/{folder}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Replace the bytes of a file; its address, alt text and tags stay */
        put: operations["putMediaByFolderByName"];
        post?: never;
        /** Delete a file; earlier commits keep it */
        delete: operations["deleteMediaByFolderByName"];
        options?: never;
        head?: never;
        /** Change the alt text and the tags of a file, move or rename it */
        patch: operations["patchMediaByFolderByName"];
        trace?: never;
    };
    "/api/media/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Replace the bytes of a file; its address, alt text and tags stay */
        put: operations["putMediaByName"];
        post?: never;
        /** Delete a file; earlier commits keep it */
        delete: operations["deleteMediaByName"];
        options?: never;
        head?: never;
        /** Change the alt text and the tags of a file, move or rename it */
        patch: operations["patchMediaByName"];
        trace?: never;
    };
    "/uploads/{folder}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A media file, or a variant of an image */
        get: operations["getUploadsByFolderByName"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/uploads/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A media file that was pushed into `media/` itself */
        get: operations["getUploadsByName"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/repository": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** State of the site's content repository */
        get: operations["getAdminRepository"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/repository/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Choose the side to continue from after the branch was moved away (a force-push) */
        post: operations["postAdminRepositoryResolve"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/repository/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Check the site: every object of its repository, the log, the index against both, media against their hashes, the chain of its audit */
        post: operations["postAdminRepositoryVerify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/remote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** State of the site's remote */
        get: operations["getAdminRemote"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/remote/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Fetch from the remote and push to it now */
        post: operations["postAdminRemoteSync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/remote/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Choose the side to continue from after the remote was force-pushed */
        post: operations["postAdminRemoteResolve"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/backups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Backups, newest first, whether one is being restored, and how the last restore ended */
        get: operations["getAdminBackups"];
        put?: never;
        /** Back up the site now; answers when the backup is complete and on the disk */
        post: operations["postAdminBackups"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/backups/{id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What restoring a backup would add, change and remove now */
        get: operations["getAdminBackupsByIdChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/backups/{id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A backup as one file: content with its history, media and `_data`; no users, no secrets */
        get: operations["getAdminBackupsByIdArchive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/backups/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Restore a backup: its tree becomes the newest commit; the current state is backed up first */
        post: operations["postAdminBackupsByIdRestore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/backups/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a backup: its tag and its archive; the history keeps its commit */
        delete: operations["deleteAdminBackupsById"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/site-config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The settings of the site */
        get: operations["getAdminSiteConfig"];
        put?: never;
        /** Change settings of the site */
        post: operations["postAdminSiteConfig"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/site-config/shape": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The shape of the settings: their sections, names, schemas and defaults */
        get: operations["getAdminSiteConfigShape"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who changed what: settings, users, access tokens, sites; who signed in, pushed, exported or deleted */
        get: operations["getAdminAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/link-check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The report of the last link check */
        get: operations["getAdminLinkCheck"];
        put?: never;
        /** Check the links now */
        post: operations["postAdminLinkCheck"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/link-check/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How far the link check is that is under way */
        get: operations["getAdminLinkCheckProgress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/revalidations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The last 50 revalidations of the frontend, newest first */
        get: operations["getAdminRevalidations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/revalidations/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send every published document to the frontend again */
        post: operations["postAdminRevalidationsResend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/deploy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Deploy the site; answers when the deploy is queued */
        post: operations["postAdminDeploy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/deploys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The last 50 deploys, newest first */
        get: operations["getAdminDeploys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/deploys/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What is live, or null; with `collection` and `slug` also whether the document’s newest version is */
        get: operations["getAdminDeploysLive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/deploys/target": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where the site is deployed to and what is still to set, or null */
        get: operations["getAdminDeploysTarget"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/deploys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One deploy */
        get: operations["getAdminDeploysById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/deploys/{id}/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The log of a deploy; with `Accept: text/event-stream` also what is added until it ends */
        get: operations["getAdminDeploysByIdLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/deploys/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel a deploy that is queued or running; answers once it has ended */
        post: operations["postAdminDeploysByIdCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/deploys/{id}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make this deploy the live one again, by the host’s own means; a new entry in the history */
        post: operations["postAdminDeploysByIdRollback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/deploy/notify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The stream of `deploy-done`: ends of our deploys, and those that a CI reports */
        get: operations["getAdminDeployNotify"];
        put?: never;
        /** Report the end of a deploy, with the deploy notify secret as bearer token */
        post: operations["postAdminDeployNotify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/deploy/github-status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The newest workflow run of the repository `deployAppName`, at most five seconds old */
        get: operations["getAdminDeployGithubStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/forms/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The form on a page of its own, which works without JavaScript */
        get: operations["getFormsByName"];
        put?: never;
        /** Send a form; a browser that sends it without a script (Accept: text/html) gets a page as the answer */
        post: operations["postFormsByName"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/forms/{name}/schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The schema of a form */
        get: operations["getFormsByNameSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cms/heartbeat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Do everything that is due at all sites: scheduled publication, agents, backups, link checks, the calendar */
        get: operations["getCmsHeartbeat"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cms/scheduled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What is planned: documents that go live or offline, backups and other jobs */
        get: operations["getCmsScheduled"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cms/scheduled/calendar.ics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Scheduled publication and withdrawal, backups and link checks, as a calendar to subscribe to */
        get: operations["getCmsScheduledCalendarIcs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/calendar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's own link to the calendar; valid until their password changes or the access token in use ends */
        get: operations["getAdminCalendar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/calendar/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace all links to the site's calendar; existing links end */
        post: operations["postAdminCalendarRotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/forms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The forms, and how many submissions are unread */
        get: operations["getAdminForms"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/forms/{name}/submissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The submissions of a form, newest first */
        get: operations["getAdminFormsByNameSubmissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/forms/{name}/submissions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One submission */
        get: operations["getAdminFormsByNameSubmissionsById"];
        put?: never;
        post?: never;
        /** Delete a submission for good */
        delete: operations["deleteAdminFormsByNameSubmissionsById"];
        options?: never;
        head?: never;
        /** Change a submission's status */
        patch: operations["patchAdminFormsByNameSubmissionsById"];
        trace?: never;
    };
    "/api/admin/forms/submissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The submissions of all forms, newest first */
        get: operations["getAdminFormsSubmissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/forms/{name}/submissions/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change the status of up to 500 submissions of a form, or delete them for good */
        post: operations["postAdminFormsByNameSubmissionsBulk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/forms/{name}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The submissions of a form as CSV, newest first */
        get: operations["getAdminFormsByNameExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/forms/{name}/widget.js": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The script that draws the form into the element `cms-form-<name>` of the page that loads it */
        get: operations["getFormsByNameWidgetJs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/webhooks/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Deliveries to webhooks, newest first: waiting ones, and the last thousand finished ones */
        get: operations["getAdminWebhooksDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/webhooks/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One delivery, with its body if the caller may read its content */
        get: operations["getAdminWebhooksDeliveriesById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/webhooks/deliveries/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a delivery again now, under its id */
        post: operations["postAdminWebhooksDeliveriesByIdRedeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a webhook the event `ping` */
        post: operations["postAdminWebhooksByIdTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cms/brand-voice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The active brand voice, its translation into a locale, or with `versions=1` all versions */
        get: operations["getCmsBrandVoice"];
        put?: never;
        /** Save a new version of the brand voice, active at once; `If-Match` is of all versions */
        post: operations["postCmsBrandVoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cms/brand-voice/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A step of the guided interview; the last one saves a version */
        post: operations["postCmsBrandVoiceChat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cms/brand-voice/translate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Translate the brand voice into a locale anew */
        post: operations["postCmsBrandVoiceTranslate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cms/brand-voice/versions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Activate a version, or edit some of its fields; `If-Match` is of all versions */
        patch: operations["patchCmsBrandVoiceVersionsById"];
        trace?: never;
    };
    "/api/cms/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A turn of a chat with a model that has the tools of its caller */
        post: operations["postCmsChat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cms/chat/{id}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm, or refuse, a call that waits for the person; `id` is that of the `confirm` event */
        post: operations["postCmsChatByIdConfirm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cms/chat/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The conversations of the caller, newest first */
        get: operations["getCmsChatConversations"];
        put?: never;
        post?: never;
        /** Delete all conversations of the caller */
        delete: operations["deleteCmsChatConversations"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cms/chat/conversations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A conversation of the caller */
        get: operations["getCmsChatConversationsById"];
        put?: never;
        post?: never;
        /** Delete a conversation of the caller */
        delete: operations["deleteCmsChatConversationsById"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cms/ai": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the site has a model to work with, and what is missing */
        get: operations["getCmsAi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cms/ai/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A new document from a prompt */
        post: operations["postCmsAiGenerate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cms/ai/rewrite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A field written anew */
        post: operations["postCmsAiRewrite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cms/ai/seo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Titles and descriptions for search engines */
        post: operations["postCmsAiSeo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cms/ai/translate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A translation of a document */
        post: operations["postCmsAiTranslate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cms/curation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What models propose and people decide, newest first */
        get: operations["getCmsCuration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cms/curation/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One item of the curation queue */
        get: operations["getCmsCurationById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Edit an item before it is decided, or mark it as in review */
        patch: operations["patchCmsCurationById"];
        trace?: never;
    };
    "/api/cms/curation/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Write what an item proposes: published (content:publish), or with asDraft as a draft (content:write); 403 before 404 */
        post: operations["postCmsCurationByIdApprove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cms/curation/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reject an item; the agent that proposed it gets the feedback with its next run */
        post: operations["postCmsCurationByIdReject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cms/curation/{id}/reopen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take a rejection back: the item waits again, without its feedback */
        post: operations["postCmsCurationByIdReopen"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cms/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The agents */
        get: operations["getCmsAgents"];
        put?: never;
        /** Make an agent; a scheduled run has the rights of its maker, and stops with these credentials */
        post: operations["postCmsAgents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cms/agents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One agent */
        get: operations["getCmsAgentsById"];
        /** Replace the configuration of an agent; runs since the version of `If-Match` do not count */
        put: operations["putCmsAgentsById"];
        post?: never;
        /** Delete an agent and its runs; its items stay */
        delete: operations["deleteCmsAgentsById"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cms/agents/{id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Run an agent; with Accept: text/event-stream as events `step`, `tool_call`, `tool_result`, `done {run}` */
        post: operations["postCmsAgentsByIdRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cms/agents/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The last 200 runs of an agent, newest first */
        get: operations["getCmsAgentsByIdRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cms/agents/{id}/runs/{runId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel a run; it queues nothing */
        post: operations["postCmsAgentsByIdRunsByRunIdCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** MCP for everybody: tools that read published documents */
        post: operations["postMcp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/admin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** MCP for the owner of an access token: the tools that its permissions open */
        post: operations["postMcpAdmin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The MCP endpoints, and the tools and collections that the caller may use */
        get: operations["getMcpInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/provision/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a new service can be made of */
        get: operations["getAdminProvisionOptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/provision/templates/{name}/image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The picture of a template */
        get: operations["getAdminProvisionTemplatesByNameImage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/provision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The provisionings that the caller began */
        get: operations["getAdminProvision"];
        put?: never;
        /** Make a new service on Fly, or go on where an earlier try ended */
        post: operations["postAdminProvision"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/provision/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Check a part of what a provisioning would be asked for; a token of Fly is verified there */
        post: operations["postAdminProvisionCheck"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/provision/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follow it: the steps so far, then each as it happens, then `done` or `error` */
        get: operations["getAdminProvisionByIdEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/provision/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Stop it and remove what it made */
        delete: operations["deleteAdminProvisionById"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Names of the people of the site, also of those whose accounts were removed */
        get: operations["getAdminPeople"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How the site is doing, by right */
        get: operations["getAdminStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Everything that happens in the site, as events, each for those who may read what it is about */
        get: operations["getAdminEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/presence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Say that one has a document open; again every 25 seconds, since it is forgotten after 60 */
        post: operations["postAdminPresence"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in */
        post: operations["postAuthLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign out */
        post: operations["postAuthLogout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The current user */
        get: operations["getAuthMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether there are users */
        get: operations["getAuthSetup"];
        put?: never;
        /** Create the first admin */
        post: operations["postAuthSetup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One’s own profile, sites and permissions */
        get: operations["getAdminProfile"];
        put?: never;
        /** Change one’s own profile */
        post: operations["postAdminProfile"];
        delete?: never;
        options?: never;
        head?: never;
        /** Change one’s own preferences */
        patch: operations["patchAdminProfile"];
        trace?: never;
    };
    "/api/admin/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List one’s own sessions; with `user`, those of another user (team:manage) */
        get: operations["getAdminSessions"];
        put?: never;
        post?: never;
        /** End all of one’s own sessions but this one; with `user`, those of another user (team:manage) */
        delete: operations["deleteAdminSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End a session */
        delete: operations["deleteAdminSessionsById"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/access-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List one’s own access tokens, masked; with `user`, those of another user (team:manage) */
        get: operations["getAdminAccessTokens"];
        put?: never;
        /** Create an access token */
        post: operations["postAdminAccessTokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/access-tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an access token */
        delete: operations["deleteAdminAccessTokensById"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the users */
        get: operations["getAdminUsers"];
        put?: never;
        /** Add a user */
        post: operations["postAdminUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a user */
        delete: operations["deleteAdminUsersById"];
        options?: never;
        head?: never;
        /** Change a user */
        patch: operations["patchAdminUsersById"];
        trace?: never;
    };
    "/api/auth/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Request a link that sets a new password, or use one */
        post: operations["postAuthReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm a new address with the link that was mailed to it */
        post: operations["postAuthEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/invite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Invite a user, who sets the password by a link; repeat it for a new link */
        post: operations["postAdminUsersInvite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}/password-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mail a user a link that sets a new password; for an invited user a new invitation */
        post: operations["postAdminUsersByIdPasswordLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/profile/one-time-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start setting up one-time codes: get a secret for an authenticator app */
        post: operations["postAdminProfileOneTimeCodes"];
        /** Turn one-time codes off */
        delete: operations["deleteAdminProfileOneTimeCodes"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/profile/one-time-codes/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Turn one-time codes on with a first code */
        post: operations["postAdminProfileOneTimeCodesConfirm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}/one-time-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Turn off the one-time codes of a user who has lost the phone */
        delete: operations["deleteAdminUsersByIdOneTimeCodes"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The ways of signing in */
        get: operations["getAuthMethods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/oidc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Go to the OpenID provider to sign in */
        get: operations["getAuthOidc"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/oidc/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Come back from the OpenID provider */
        get: operations["getAuthOidcCallback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the sites */
        get: operations["getAdminSites"];
        put?: never;
        /** Add a site */
        post: operations["postAdminSites"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        ErrorResponse: {
            /** @description A sentence for people */
            error: string;
            /**
             * @description The same for programs
             * @enum {string}
             */
            code?: "invalid_input" | "site_required" | "unauthenticated" | "one_time_code_required" | "budget_used_up" | "forbidden" | "not_found" | "method_not_allowed" | "request_timeout" | "conflict" | "draft_needed" | "fields_locked" | "in_progress" | "precondition_failed" | "too_large" | "unsupported_media_type" | "range_not_satisfiable" | "idempotency_mismatch" | "too_many_requests" | "internal" | "upstream_failed" | "provider_refused" | "provider_busy" | "model_output" | "unavailable" | "outcome_unknown" | "storage_full" | "quota_exceeded";
            details?: {
                path: string;
                message: string;
            }[];
            /** @description With `internal` only */
            requestId?: string;
        };
        DocumentList: {
            documents: components["schemas"]["Document"][];
            total: number;
            /** @description with `include`: the documents that relations name, each once, by `<collection>/<slug>` */
            included?: {
                [key: string]: components["schemas"]["Document"];
            };
            /** @description names in `orderBy`, `fields` and `filter` that neither a document nor the schema has, with the nearest */
            warnings?: {
                path: string;
                message: string;
            }[];
        };
        Document: {
            id: string;
            slug: string;
            collection: string;
            /** @enum {string} */
            status: "draft" | "published" | "archived";
            locale?: string;
            translationOf?: string;
            translationGroup?: string;
            /** Format: date-time */
            publishAt?: string;
            /** Format: date-time */
            unpublishAt?: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            data: {
                [key: string]: unknown;
            };
        };
        CreateDocumentBody: {
            data: {
                [key: string]: unknown;
            };
            /** @description URL-friendly, unique within the collection */
            slug?: string;
            /**
             * @description `published` publishes; content:write is enough for that, also in the `create` and `update` of a bulk request. With content:draft it is 403
             * @enum {string}
             */
            status?: "draft" | "published" | "archived";
            /** @description BCP 47 language tag */
            locale?: string;
            /** @description slug of the source document */
            translationOf?: string;
            /**
             * Format: uuid
             * @description shared by a document and its translations
             */
            translationGroup?: string;
            /** @description scheduled publication; null clears it. A future time with changes of a published document is 409 `draft_needed` */
            publishAt?: string | null;
            /** @description scheduled withdrawal; null clears it */
            unpublishAt?: string | null;
        };
        UpdateDocumentBody: {
            data?: {
                [key: string]: unknown;
            };
            /** @description keys of `data` to remove with what is known of who wrote them; none of them may be in the `data` of the request. A key that the document does not have is passed over: 200, and a commit as for every accepted change. Whole keys only: `a.b` is 400, unless `data` has a key of that very name */
            unset?: string[];
            /** @description with a new `slug`: relations and links of other documents name it, in the same commit */
            updateReferences?: boolean;
            /** @description URL-friendly, unique within the collection */
            slug?: string;
            /**
             * @description `published` publishes; content:write is enough for that, also in the `create` and `update` of a bulk request. With content:draft it is 403
             * @enum {string}
             */
            status?: "draft" | "published" | "archived";
            /** @description BCP 47 language tag */
            locale?: string;
            /** @description slug of the source document */
            translationOf?: string;
            /**
             * Format: uuid
             * @description shared by a document and its translations
             */
            translationGroup?: string;
            /** @description scheduled publication; null clears it. A future time with changes of a published document is 409 `draft_needed` */
            publishAt?: string | null;
            /** @description scheduled withdrawal; null clears it */
            unpublishAt?: string | null;
        };
        Success: {
            success: boolean;
        };
        BulkBody: {
            /** @description each needs the rights of its endpoint, that is content:write, or content:draft for what is not public; `publish` and `unpublish` need content:publish besides content:draft or content:write, and are 403 without it */
            operations: ({
                /** @constant */
                op: "create";
                data: {
                    [key: string]: unknown;
                };
                /** @description URL-friendly, unique within the collection */
                slug?: string;
                /**
                 * @description `published` publishes; content:write is enough for that, also in the `create` and `update` of a bulk request. With content:draft it is 403
                 * @enum {string}
                 */
                status?: "draft" | "published" | "archived";
                /** @description BCP 47 language tag */
                locale?: string;
                /** @description slug of the source document */
                translationOf?: string;
                /**
                 * Format: uuid
                 * @description shared by a document and its translations
                 */
                translationGroup?: string;
                /** @description scheduled publication; null clears it. A future time with changes of a published document is 409 `draft_needed` */
                publishAt?: string | null;
                /** @description scheduled withdrawal; null clears it */
                unpublishAt?: string | null;
            } | {
                /** @constant */
                op: "update";
                /** @description id or slug of the document */
                id?: string;
                /** @description ETag that the document must have */
                ifMatch?: string;
                data?: {
                    [key: string]: unknown;
                };
                /** @description keys of `data` to remove with what is known of who wrote them; none of them may be in the `data` of the request. A key that the document does not have is passed over: 200, and a commit as for every accepted change. Whole keys only: `a.b` is 400, unless `data` has a key of that very name */
                unset?: string[];
                /** @description with a new `slug`: relations and links of other documents name it, in the same commit */
                updateReferences?: boolean;
                /** @description URL-friendly, unique within the collection */
                slug?: string;
                /**
                 * @description `published` publishes; content:write is enough for that, also in the `create` and `update` of a bulk request. With content:draft it is 403
                 * @enum {string}
                 */
                status?: "draft" | "published" | "archived";
                /** @description BCP 47 language tag */
                locale?: string;
                /** @description slug of the source document */
                translationOf?: string;
                /**
                 * Format: uuid
                 * @description shared by a document and its translations
                 */
                translationGroup?: string;
                /** @description scheduled publication; null clears it. A future time with changes of a published document is 409 `draft_needed` */
                publishAt?: string | null;
                /** @description scheduled withdrawal; null clears it */
                unpublishAt?: string | null;
            } | {
                /** @constant */
                op: "delete";
                /** @description id or slug of the document */
                id?: string;
                /** @description ETag that the document must have */
                ifMatch?: string;
                /** @description the same, without `id` */
                slug?: string;
                /** @description 409 with `references` if another document points to this one */
                ifUnreferenced?: boolean;
            } | {
                /** @constant */
                op: "restore";
                /** @description id or slug of the document */
                id?: string;
                /** @description ETag that the document must have */
                ifMatch?: string;
                /** @description the same, without `id` */
                slug?: string;
                /** @description the version to restore, or the deletion; the last deletion if absent */
                commit?: string;
            } | {
                /** @constant */
                op: "publish";
                /** @description id or slug of the document */
                id?: string;
                /** @description ETag that the document must have */
                ifMatch?: string;
                /** @description the same, without `id` */
                slug?: string;
            } | {
                /** @constant */
                op: "unpublish";
                /** @description id or slug of the document */
                id?: string;
                /** @description ETag that the document must have */
                ifMatch?: string;
                /** @description the same, without `id` */
                slug?: string;
            })[];
            /** @description one commit, or nothing if an operation is refused */
            atomic?: boolean;
        };
        BulkResults: {
            results: {
                status: number;
                document?: components["schemas"]["Document"];
                etag?: string;
                skippedFields?: string[];
                /** @description what a published document points to and readers cannot see; what keeps a document from being published that is not; keys of `data` that no field has */
                warnings?: {
                    path: string;
                    message: string;
                }[];
                error?: string;
                code?: string;
                details?: {
                    path: string;
                    message: string;
                }[];
                /** @description with `ifUnreferenced`: who points to the document, the first of `total` */
                references?: {
                    collection: string;
                    slug: string;
                    title: string;
                    field: string;
                }[];
                total?: number;
            }[];
        };
        Facets: {
            total: number;
            /** @description whatever `status` and `scheduled` ask for */
            status: {
                draft: number;
                published: number;
                archived: number;
            };
            /** @description by language tag, whatever `locale` asks for; a document without one has the default */
            locale: {
                [key: string]: number;
            };
            /** @description the most used first, 1000 at most */
            tags: {
                value: string;
                count: number;
            }[];
            /** @description whatever `status` and `scheduled` ask for */
            scheduled: number;
            /** @description names in `orderBy`, `fields` and `filter` that neither a document nor the schema has, with the nearest */
            warnings?: {
                path: string;
                message: string;
            }[];
        };
        References: {
            references: {
                collection: string;
                slug: string;
                title: string;
                field: string;
            }[];
            total: number;
        };
        DocumentFieldMeta: {
            [key: string]: components["schemas"]["FieldMeta"];
        };
        FieldMeta: {
            /** @enum {string} */
            lockedBy?: "user" | "ai" | "import";
            /** Format: date-time */
            lockedAt?: string;
            userId?: string;
            reason?: string;
            aiGenerated?: boolean;
            /** Format: date-time */
            aiGeneratedAt?: string;
            aiModel?: string;
        };
        LockAllBody: {
            userId?: string;
        };
        LockFieldBody: {
            userId?: string;
            reason?: string;
        };
        MakePreviewBody: {
            /** @description fields that are shown and not saved, checked like those of a draft */
            data?: {
                [key: string]: unknown;
            };
        };
        Preview: {
            /** @description at `previewSiteUrl`, else a page of this service with the site’s theme; null if neither shows the document */
            url: string | null;
            shownBy: ("site" | "theme") | null;
            token: string;
            /** Format: date-time */
            expiresAt: string;
        };
        ReplacePreviewBody: {
            /** @description fields that are shown and not saved, checked like those of a draft */
            data: {
                [key: string]: unknown;
            };
        };
        History: {
            entries: components["schemas"]["HistoryEntry"][];
            total: number;
        };
        HistoryEntry: {
            /** @description 40 hex digits */
            commit: string;
            /** @description stays the same when a commit is replayed and gets another id */
            changeId: string;
            event: string;
            /** @enum {string} */
            actor: "user" | "ai" | "import" | "system";
            author: components["schemas"]["Author"];
            /** @description the account that acted, in its current state; null if it is gone, or if no account is named */
            user: components["schemas"]["Account"] | null;
            /** Format: date-time */
            date: string;
            fields: string[];
            /**
             * @description the commit was pushed through the service: its author and message are what the pusher wrote
             * @constant
             */
            via?: "push";
            pushedBy?: components["schemas"]["PushedBy"];
            /** @description fields that the commit unlocked, if it is an external commit */
            unlocked?: string[];
            /** @description what external commits had changed in the same place meanwhile and is not shown: the file, the field (`*` for the whole document), and the commit that has it */
            notShown?: components["schemas"]["NotShown"][];
        };
        Author: {
            name: string;
            email: string;
        };
        Account: {
            id: string;
            name: string;
            email: string;
        };
        /** @description with `via`: the owner of the access token; the account as it is now, or as it was if it no longer exists */
        PushedBy: {
            id: string | null;
            name: string;
            email: string;
        };
        NotShown: {
            path: string;
            field: string;
            /** @description 40 hex digits */
            commit: string;
        };
        DocumentDiff: {
            /** @description null if `to` is the first version */
            from: string | null;
            /** @description 40 hex digits */
            to: string;
            fields: {
                field: string;
                /** @description absent if the field did not exist */
                before?: unknown;
                after?: unknown;
            }[];
        };
        RestoreBody: {
            commit: string;
        };
        Trash: {
            documents: {
                id: string;
                collection: string;
                slug: string;
                title: string;
                /**
                 * @description restoring a published document publishes it
                 * @enum {string}
                 */
                status?: "draft" | "published" | "archived";
                /** Format: date-time */
                publishAt?: string;
                /** Format: date-time */
                deletedAt: string;
                deletedBy: components["schemas"]["Author"];
                /** @description the account that acted, in its current state; null if it is gone, or if no account is named */
                user: components["schemas"]["Account"] | null;
                /**
                 * @description the commit was pushed through the service: its author and message are what the pusher wrote
                 * @constant
                 */
                via?: "push";
                pushedBy?: components["schemas"]["PushedBy"];
                /** @description the deletion; restoring it brings the deleted document back */
                commit: string;
            }[];
            total: number;
        };
        Changes: {
            changes: components["schemas"]["Change"][];
            /** @description the newest commit; null in an empty repository */
            head: string | null;
        };
        Change: {
            /** @description 40 hex digits */
            commit: string;
            changeId: string;
            event: string;
            collection: string;
            slug: string;
            id: string;
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            actor: "user" | "ai" | "import" | "system";
            /** @description the account that acted, in its current state; null if it is gone, or if no account is named */
            user: components["schemas"]["Account"] | null;
            fields: string[];
            /**
             * @description the commit was pushed through the service: its author and message are what the pusher wrote
             * @constant
             */
            via?: "push";
            pushedBy?: components["schemas"]["PushedBy"];
            /** @description fields that the commit unlocked, if it is an external commit */
            unlocked?: string[];
            /** @description what external commits had changed in the same place meanwhile and is not shown: the file, the field (`*` for the whole document), and the commit that has it */
            notShown?: components["schemas"]["NotShown"][];
            /** @description the commit that this change was before it was replayed */
            replaces?: string;
            /** @description with `order=desc` */
            title?: string;
            /** @description with `order=desc`; `id` is null if no account is behind the change */
            author?: {
                id: string | null;
                name: string;
            };
        };
        SearchResult: {
            collection: string;
            collectionLabel: string;
            slug: string;
            title: string;
            status: string;
            /** @enum {string} */
            matchedIn: "title" | "body";
        };
        Upload: {
            url: string;
            filename: string;
            size: number;
            /** @enum {string} */
            type: "image" | "audio" | "document" | "svg";
            width?: number;
            height?: number;
            /** @description 64 hex digits */
            sha256: string;
        };
        MediaList: {
            files: components["schemas"]["MediaFile"][];
            total: number;
        };
        MediaFile: {
            name: string;
            url: string;
            folder: string;
            /** @description bytes */
            size: number;
            /** @enum {string} */
            type: "image" | "audio" | "document" | "svg";
            alt: string;
            tags: string[];
            width?: number;
            height?: number;
            /**
             * Format: date-time
             * @description absent if the file was pushed without it
             */
            createdAt?: string;
            /** @description 64 hex digits */
            sha256: string;
        };
        MediaFolders: {
            folders: {
                /** @description empty for files beside the folders */
                folder: string;
                /** @description directly in it */
                files: number;
                /** @description in folders below it */
                filesBelow: number;
            }[];
        };
        ChangeMediaBody: {
            alt?: ((string | null) | null) | string | null;
            tags?: ((string[] | string[] | null) | null) | string[] | null;
            /** @description moves the file there */
            folder?: string;
            /** @description renames the file; with the extension, which has to fit its bytes */
            name?: string;
            /** @description with a new `folder` or `name`: documents that point to the file name its new address, in the same commit; takes content:draft */
            updateReferences?: boolean;
        };
        Revalidation: {
            /** @description sent as `X-CMS-Delivery`; the same if it is sent again */
            id: string;
            /**
             * Format: date-time
             * @description the last attempt
             */
            at: string;
            collection: string;
            slug: string;
            /** @enum {string} */
            action: "created" | "updated" | "published" | "unpublished" | "deleted";
            paths: string[];
            url: string;
            /** @description status of the response; null if there was no response */
            status: number | null;
            ok: boolean;
            error: string | null;
            durationMs: number | null;
        };
        FormTaken: {
            /** @constant */
            ok: true;
            message: string;
            id: string;
        };
        FormSchema: {
            name: string;
            label: string;
            fields: {
                name: string;
                label: string;
                /** @enum {string} */
                type: "text" | "email" | "textarea" | "select" | "checkbox" | "number" | "phone" | "url" | "date" | "hidden";
                required: boolean;
                placeholder?: string;
                defaultValue?: string | number | boolean;
                options?: {
                    label: string;
                    value: string;
                }[];
                validation?: {
                    pattern?: string;
                    minLength?: number;
                    maxLength?: number;
                };
            }[];
            successMessage: string;
            honeypot: boolean;
            turnstile: {
                siteKey: string;
            } | null;
        };
        Heartbeat: {
            /** @description false if there are errors */
            ok: boolean;
            durationMs: number;
            /** @description actions of this beat: `published: N`, `unpublished: N`, `agents: id, id`, `backup: completed`, `link-check: completed`, `calendar: updated` */
            ran: string[];
            /** @description the failed actions, with reasons */
            errors: string[];
            /** @description documents that were published and point to nothing published */
            warnings?: string[];
            /** Format: date-time */
            timestamp: string;
        };
        Planned: {
            /** @description the soonest first */
            events: {
                /** Format: date-time */
                at: string;
                /** @description `publish`, `unpublish`, or the name of a job: `backup`, `link-check`, `deploy`, `agent:<id>` */
                kind: string;
                collection?: string;
                slug?: string;
                title?: string;
                /**
                 * @description its time has passed, and it has not happened
                 * @constant
                 */
                overdue?: true;
                /** @description why it has not happened; absent if it was not tried yet */
                reason?: string;
            }[];
            /**
             * @description there are more; ask for a shorter time
             * @constant
             */
            truncated?: true;
            /** @description the time zone of the site (`general.timezone`), as IANA names it */
            timezone: string;
        };
        CalendarLink: {
            /** @description to subscribe to; anyone who has it reads the calendar as its owner */
            url: string;
            token: string;
        };
        FormEntry: {
            name: string;
            label: string;
            /** @description submissions with the status `new` */
            unread: number;
            read: number;
            archived: number;
            total: number;
            /**
             * Format: date-time
             * @description when the newest submission arrived
             */
            lastAt?: string;
            /** @description false if the configuration no longer has the form */
            configured: boolean;
        };
        FormSubmission: {
            id: string;
            form: string;
            data: {
                [key: string]: string | number | boolean;
            };
            /** @enum {string} */
            status: "new" | "read" | "archived";
            ipHash: string;
            userAgent: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            readAt?: string;
        };
        WebhookDelivery: {
            /** @description sent as `webhook-id` and `X-CMS-Delivery`; the same at each attempt */
            id: string;
            webhookId: string;
            event: string;
            /** @description the webhook's current URL, without its path; null if the webhook was removed */
            url: string | null;
            /** @enum {string} */
            state: "pending" | "delivered" | "failed";
            /** @description 0 if it failed because too much waited for its webhook; redeliver it */
            attempts: number;
            /** @description status of the last response; null if there was no response */
            status: number | null;
            error: string | null;
            durationMs: number | null;
            /** Format: date-time */
            createdAt: string;
            lastAttemptAt: string | null;
            /** @description later if an earlier delivery of its document still waits */
            nextAttemptAt: string | null;
        };
        WebhookDeliveryWithBody: {
            /** @description sent as `webhook-id` and `X-CMS-Delivery`; the same at each attempt */
            id: string;
            webhookId: string;
            event: string;
            /** @description the webhook's current URL, without its path; null if the webhook was removed */
            url: string | null;
            /** @enum {string} */
            state: "pending" | "delivered" | "failed";
            /** @description 0 if it failed because too much waited for its webhook; redeliver it */
            attempts: number;
            /** @description status of the last response; null if there was no response */
            status: number | null;
            error: string | null;
            durationMs: number | null;
            /** Format: date-time */
            createdAt: string;
            lastAttemptAt: string | null;
            /** @description later if an earlier delivery of its document still waits */
            nextAttemptAt: string | null;
            /** @description as it would be sent now; absent if the caller may not read its content */
            body?: unknown;
        };
        BrandVoiceVersion: {
            id: string;
            createdAt: string;
            createdBy: {
                id: string | null;
                name: string;
            };
            updatedAt: string;
            name?: string;
            industry?: string;
            description?: string;
            /** @description a language tag; that of the site if absent */
            language?: string;
            targetAudience?: string;
            /** @description the voice in one sentence */
            primaryTone?: string;
            brandPersonality?: string[];
            contentGoals?: string[];
            contentPillars?: string[];
            avoidTopics?: string[];
            seoKeywords?: string[];
            examplePhrases?: string[];
        };
        BrandVoiceTranslation: {
            name?: string;
            industry?: string;
            description?: string;
            /** @description a language tag; that of the site if absent */
            language?: string;
            targetAudience?: string;
            /** @description the voice in one sentence */
            primaryTone?: string;
            brandPersonality?: string[];
            contentGoals?: string[];
            contentPillars?: string[];
            avoidTopics?: string[];
            seoKeywords?: string[];
            examplePhrases?: string[];
            locale: string;
            versionId: string;
            translatedAt: string;
            model: string | null;
        };
        ChatBody: {
            /** @description the conversation so far; with `conversationId` one message goes on with what is kept */
            messages: {
                /** @enum {string} */
                role: "user" | "assistant";
                content: string;
            }[];
            conversationId?: string;
        };
        ChatConfirmBody: {
            /** @description false refuses it: nothing is done, and the model reads that in its next turn (true if absent) */
            confirm?: boolean;
        };
        Conversation: {
            id: string;
            /** @description the beginning of the first message */
            title: string;
            createdAt: string;
            updatedAt: string;
            messages: {
                /** @enum {string} */
                role: "user" | "assistant";
                content: string;
            }[];
            /** @description what the person was asked to confirm, oldest first */
            confirmations: components["schemas"]["ChatConfirmation"][];
        };
        ChatConfirmation: {
            id: string;
            tool: string;
            /** @description such as `delete` or `publish` */
            effect: string;
            /** @description null for a deploy and an upload */
            document: {
                collection: string;
                slug: string | null;
                title: string;
            } | null;
            /** @description what the tool is called with, while it waits; without the bytes of a file */
            input: {
                [key: string]: unknown;
            } | null;
            /** @enum {string} */
            state: "waiting" | "running" | "done" | "failed" | "refused" | "expired";
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            decidedAt: string | null;
            /** @description why it failed */
            problem: {
                code: string;
                error: string;
            } | null;
        };
        AiState: {
            ready: boolean;
            model: string | null;
            /** @description what to set, if it is not ready */
            problem: string | null;
            /** @description what the caller has used today; null for callers without an account */
            budget: {
                tokens: {
                    used: number;
                    limit: number | null;
                };
                usd: {
                    used: number;
                    limit: number | null;
                };
                /** @description of everybody together */
                siteUsd: {
                    used: number;
                    limit: number | null;
                };
                /** Format: date-time */
                beginsAnew: string;
            } | null;
            /** @description budgets that cannot be kept */
            warnings: string[];
        };
        GenerateBody: {
            collection: string;
            prompt: string;
            /** @description all fields that a model can write if absent */
            fields?: string[];
            locale?: string;
            /** @description write it, as an AI for the caller, instead of proposing it */
            apply?: boolean;
            /** @description with apply: the fields of a reviewed proposal, stored as they are; the model is not asked */
            data?: {
                [key: string]: unknown;
            };
        };
        GeneratedProposal: {
            proposal: {
                data: {
                    [key: string]: unknown;
                };
                diff: {
                    field: string;
                    before: unknown;
                    after: unknown;
                }[];
                skippedFields: string[];
            };
            usage: {
                inputTokens: number;
                outputTokens: number;
                costUsd: number | null;
            };
            model: string | null;
            /** @description what could not be carried over */
            warnings: {
                path: string;
                message: string;
            }[];
        };
        QueuedChange: {
            queued: string;
            warnings: {
                path: string;
                message: string;
            }[];
        };
        RewriteBody: {
            collection: string;
            slug: string;
            field: string;
            instruction: string;
            /** @description fields as they are in an editor, not stored yet: the model reads them instead of the stored ones */
            unsaved?: {
                [key: string]: unknown;
            };
            /** @description write it, as an AI for the caller, instead of proposing it */
            apply?: boolean;
            /** @description with apply: the fields of a reviewed proposal, stored as they are; the model is not asked */
            data?: {
                [key: string]: unknown;
            };
        };
        SeoBody: {
            collection: string;
            slug: string;
            /** @description fields as they are in an editor, not stored yet: the model reads them instead of the stored ones */
            unsaved?: {
                [key: string]: unknown;
            };
            /** @description write it, as an AI for the caller, instead of proposing it */
            apply?: boolean;
            /** @description with apply: the fields of a reviewed proposal, stored as they are; the model is not asked */
            data?: {
                [key: string]: unknown;
            };
        };
        TranslateBody: {
            collection: string;
            slug: string;
            locale: string;
            /** @description write it, as an AI for the caller, instead of proposing it */
            apply?: boolean;
            /** @description with apply: the fields of a reviewed proposal, stored as they are; the model is not asked */
            data?: {
                [key: string]: unknown;
            };
        };
        CurationItem: {
            id: string;
            /** @description null if chat, an MCP client or generation proposed it */
            agentId: string | null;
            agentName: string;
            collection: string;
            /** @description null while it has no document */
            slug: string | null;
            documentId: string | null;
            /** @description ETag of the document that the model saw */
            baseEtag: string | null;
            title: string;
            /** @enum {string} */
            status: "ready" | "in_review" | "approved" | "rejected" | "published";
            /** @description the proposed fields */
            data: {
                [key: string]: unknown;
            };
            /** @description other proposals for the same fields */
            alternatives: {
                [key: string]: unknown;
            }[];
            /** @description the same fields in the document when they were proposed, or edited */
            base: {
                [key: string]: unknown;
            };
            /** @description proposed changes of the document besides its data */
            change: {
                slug?: string;
                /** @enum {string} */
                status?: "draft" | "published" | "archived";
                locale?: string;
                translationOf?: string;
                translationGroup?: string;
                publishAt?: string | null;
                unpublishAt?: string | null;
            };
            /** @description fields that a person has edited */
            editedFields: string[];
            /** @description proposed fields that are locked */
            skippedFields: string[];
            /**
             * @description proposed fields that its approver did not take over
             * @default []
             */
            leftOutFields: string[];
            /**
             * @description why the model proposes it, in its own words
             * @default null
             */
            reason: string | null;
            costUsd: number | null;
            tokens: number | null;
            model: string | null;
            feedback: string | null;
            /** Format: date-time */
            createdAt: string;
            decidedAt: string | null;
            decidedBy: {
                id: string | null;
                name: string;
            } | null;
            /** @description path of the page, once the document is written */
            documentUrl: string | null;
        };
        CurationStats: {
            total: number;
            ready: number;
            in_review: number;
            approved: number;
            rejected: number;
            published: number;
            /** @description approved or published of all decided; null before the first */
            approvalRate: number | null;
            byAgent: {
                agentId: string | null;
                agentName: string;
                total: number;
                ready: number;
                in_review: number;
                approved: number;
                rejected: number;
                published: number;
            }[];
        };
        Agent: {
            id: string;
            name: string;
            role: string;
            systemPrompt: string;
            /**
             * @default draft
             * @enum {string}
             */
            autonomy: "draft" | "full";
            /** @description that it may write */
            collections: string[];
            /**
             * @default {
             *       "cron": "",
             *       "timezone": "",
             *       "enabled": false
             *     }
             */
            schedule: {
                /** @default  */
                cron: string;
                /**
                 * @description the site's if empty
                 * @default
                 */
                timezone: string;
                /** @default false */
                enabled: boolean;
            };
            /**
             * @default {
             *       "dailyUsd": null,
             *       "monthlyUsd": null
             *     }
             */
            budget: {
                /**
                 * @description a day in the site's time zone; null means no limit
                 * @default null
                 */
                dailyUsd: number | null;
                /** @default null */
                monthlyUsd: number | null;
            };
            /** @default null */
            locale: string | null;
            /** @default true */
            active: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            stats: {
                runs: number;
                completed: number;
                failed: number;
                cancelled: number;
                inputTokens: number;
                outputTokens: number;
                costUsd: number;
                spentTodayUsd: number;
                spentThisMonthUsd: number;
                lastRunAt: string | null;
                /** @description when it stopped by itself; `warnings` says why */
                stoppedAt: string | null;
            };
            warnings: string[];
        };
        AgentBody: {
            name: string;
            role: string;
            systemPrompt: string;
            /**
             * @description "draft" if absent
             * @enum {string}
             */
            autonomy?: "draft" | "full";
            /** @description that it may write */
            collections: string[];
            /** @description {"cron":"","timezone":"","enabled":false} if absent */
            schedule?: {
                /** @description "" if absent */
                cron?: string;
                /** @description the site's if empty ("" if absent) */
                timezone?: string;
                /** @description false if absent */
                enabled?: boolean;
            };
            /** @description {"dailyUsd":null,"monthlyUsd":null} if absent */
            budget?: {
                /** @description a day in the site's time zone; null means no limit (null if absent) */
                dailyUsd?: number | null;
                /** @description null if absent */
                monthlyUsd?: number | null;
            };
            /** @description null if absent */
            locale?: string | null;
            /** @description true if absent */
            active?: boolean;
        };
        AgentReplaceBody: {
            name: string;
            role: string;
            systemPrompt: string;
            /**
             * @description "draft" if absent
             * @enum {string}
             */
            autonomy?: "draft" | "full";
            /** @description that it may write */
            collections: string[];
            /** @description {"cron":"","timezone":"","enabled":false} if absent */
            schedule?: {
                /** @description "" if absent */
                cron?: string;
                /** @description the site's if empty ("" if absent) */
                timezone?: string;
                /** @description false if absent */
                enabled?: boolean;
            };
            /** @description {"dailyUsd":null,"monthlyUsd":null} if absent */
            budget?: {
                /** @description a day in the site's time zone; null means no limit (null if absent) */
                dailyUsd?: number | null;
                /** @description null if absent */
                monthlyUsd?: number | null;
            };
            /** @description null if absent */
            locale?: string | null;
            /** @description true if absent */
            active?: boolean;
            /** @description ignored, so that what GET answers can be sent back */
            id?: unknown;
            /** @description ignored, so that what GET answers can be sent back */
            createdAt?: unknown;
            /** @description ignored, so that what GET answers can be sent back */
            updatedAt?: unknown;
            /** @description ignored, so that what GET answers can be sent back */
            stats?: unknown;
            /** @description ignored, so that what GET answers can be sent back */
            warnings?: unknown;
        };
        AgentRun: {
            id: string;
            agentId: string;
            /** @enum {string} */
            status: "running" | "completed" | "failed" | "cancelled";
            /** @enum {string} */
            trigger: "manual" | "schedule";
            /** Format: date-time */
            startedAt: string;
            durationMs: number | null;
            model: string | null;
            steps: {
                inputTokens: number;
                outputTokens: number;
                costUsd: number | null;
                tools: string[];
            }[];
            inputTokens: number;
            outputTokens: number;
            costUsd: number | null;
            /** @description the first of itemIds */
            itemId: string | null;
            itemIds: string[];
            /** @description the first document that it wrote itself */
            documentId: string | null;
            error: string | null;
            code: string | null;
            warnings: string[];
        };
        SiteStatus: {
            ready: boolean;
            /** @description why changes are refused now */
            refusal: string | null;
            version: string;
            index: {
                documents: number;
                media: number;
                commit: string | null;
            };
            /** @description for admins: what keeps the site from serving */
            problems?: string[];
            /** @description for admins: harmless, but worth a look */
            warnings?: string[];
            /** @description for admins: what waits to be sent, and what recently failed for good */
            queue?: {
                topic: string;
                pending: number;
                failed: number;
            }[];
            /** @description for admins: null without a remote */
            remote?: {
                unpushedCommits: number;
                /** @description age of the oldest commit that the remote does not have yet */
                unpushedSeconds: number;
                /** @description null if the service has never reached it */
                secondsSinceFetch: number | null;
            } | null;
            /** @description for admins */
            disk?: {
                freeBytes: number;
                totalBytes: number;
            };
            /** @description with deploy:read */
            deploy?: {
                configured: boolean;
                /** @description queued ones too */
                running: number;
                last: {
                    success: boolean;
                    durationMs: number;
                    /** Format: date-time */
                    endedAt: string;
                } | null;
            };
        };
        Presence: {
            people: {
                id: string;
                name: string;
            }[];
        };
    };
    responses: {
        /** @description The input is not valid; `details` names each problem */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description Credentials are missing or not valid */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The credentials do not open this */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description There is no such resource */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The body did not arrive in time */
        RequestTimeout: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The body is too large */
        TooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The content type or coding is not supported */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The `Idempotency-Key` came with another body before */
        IdempotencyMismatch: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description Too many requests from this address without credentials, or too many event streams */
        TooManyRequests: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description A bug; `requestId` finds it in the process log */
        InternalError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The site is not open, or the service is shutting down */
        Unavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The disk is full; reads go on */
        StorageFull: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
    };
    parameters: {
        /** @description The ETag the change is based on; 412 if it is no longer current */
        IfMatch: string;
        /** @description On GET the ETag of a stored copy (304 if it is current); `*` on a creation */
        IfNoneMatch: string;
        /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
        IdempotencyKey: string;
        /** @description With an event stream: the id of the last event received */
        LastEventID: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getRoot: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        version: string;
                        /** @description API prefix */
                        api: string;
                    };
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getHealthz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Alive */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: true;
                    };
                };
            };
            500: components["responses"]["InternalError"];
        };
    };
    getReadyz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ready */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                        /** @description texts for the service token and for admins of the sites; for others their number */
                        problems: number | string[];
                        /** @description texts for the service token and for admins of the sites; for others their number */
                        warnings: number | string[];
                        /** @description for those who get messages, if there are any */
                        remotes?: {
                            site: string;
                            unpushedCommits: number;
                            /** @description age of the oldest commit that the remote does not have yet */
                            unpushedSeconds: number;
                            /** @description null if the service has never reached it */
                            secondsSinceFetch: number | null;
                        }[];
                    };
                };
            };
            500: components["responses"]["InternalError"];
            /** @description Not ready */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                        /** @description texts for the service token and for admins of the sites; for others their number */
                        problems: number | string[];
                        /** @description texts for the service token and for admins of the sites; for others their number */
                        warnings: number | string[];
                        /** @description for those who get messages, if there are any */
                        remotes?: {
                            site: string;
                            unpushedCommits: number;
                            /** @description age of the oldest commit that the remote does not have yet */
                            unpushedSeconds: number;
                            /** @description null if the service has never reached it */
                            secondsSinceFetch: number | null;
                        }[];
                        error: string;
                        /** @constant */
                        code: "unavailable";
                    };
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Metrics */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description Neither the service token nor this machine */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            500: components["responses"]["InternalError"];
        };
    };
    getOpenapiJson: {
        parameters: {
            query?: {
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getContentByCollection: {
        parameters: {
            query?: {
                status?: "draft" | "published" | "archived" | "all";
                locale?: string;
                /** @description terms separated by spaces or commas; documents must have all of them, as in a search */
                q?: string;
                /** @description only documents that have no translation in this locale, and are not in it */
                missingLocale?: string;
                /** @description `true`: only documents that wait for a time to be published or withdrawn */
                scheduled?: "true";
                /** @description comma-separated; all of them must match */
                tags?: string;
                /** @description `filter[key]=value` and `filter[key][operator]=value`, operators eq, ne, in, nin, gt, gte, lt, lte, contains, startsWith, exists; at most 10, all of them must match. `in` and `nin` take values separated by commas; `\,` is a comma inside of a value, and `\\` a backslash */
                filter?: {
                    [key: string]: unknown;
                };
                /** @description every match if absent */
                limit?: number;
                offset?: number;
                /** @description a key of the document or of its data; createdAt if absent */
                orderBy?: string;
                /** @description desc if absent */
                order?: "asc" | "desc";
                /** @description relations, comma-separated: `author,related.author`; their documents are in `included`, 200 at most. An empty text names none: `included` is `{}` */
                include?: string;
                /** @description only these keys of data */
                fields?: string;
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description On GET the ETag of a stored copy (304 if it is current); `*` on a creation */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                collection: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of documents and the number of all matches */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentList"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Invalid query */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Unknown collection */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postContentByCollection: {
        parameters: {
            query?: {
                /** @description `true`: nothing is stored; the answer is what would be (its `id` is made up), or all problems at once */
                dryRun?: "true" | "false";
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description On GET the ETag of a stored copy (304 if it is current); `*` on a creation */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                collection: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDocumentBody"];
            };
        };
        responses: {
            /** @description With `dryRun`, the document as it would be stored */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"] & {
                        skippedFields?: string[];
                        /** @description what a published document points to and readers cannot see; what keeps a document from being published that is not; keys of `data` that no field has */
                        warnings?: {
                            path: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description The document as created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"] & {
                        skippedFields?: string[];
                        /** @description what a published document points to and readers cannot see; what keeps a document from being published that is not; keys of `data` that no field has */
                        warnings?: {
                            path: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description Invalid input */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Unknown collection */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Slug is taken */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Slug exists */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getContentByCollectionBySlug: {
        parameters: {
            query?: {
                /** @description relations, comma-separated: `author,related.author`; their documents are in `included`, 200 at most. An empty text names none: `included` is `{}` */
                include?: string;
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description On GET the ETag of a stored copy (304 if it is current); `*` on a creation */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                collection: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"] & {
                        /** @description with `include`: the documents that relations name, each once, by `<collection>/<slug>` */
                        included?: {
                            [key: string]: components["schemas"]["Document"];
                        };
                    };
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Invalid query */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Unknown collection or document */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    putContentByCollectionBySlug: {
        parameters: {
            query?: {
                /** @description `true`: nothing is stored; the answer is what would be (its `id` is made up), or all problems at once */
                dryRun?: "true" | "false";
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description The ETag the change is based on; 412 if it is no longer current */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                collection: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateDocumentBody"];
            };
        };
        responses: {
            /** @description The document as changed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"] & {
                        skippedFields?: string[];
                        /** @description what a published document points to and readers cannot see; what keeps a document from being published that is not; keys of `data` that no field has */
                        warnings?: {
                            path: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description Invalid input */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Unknown document */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Slug is taken, every field is locked, or `publishAt` comes with changes of a published document */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Changed since */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    deleteContentByCollectionBySlug: {
        parameters: {
            query?: {
                /** @description `true`: 409 if another document points to it, with a list of who does */
                ifUnreferenced?: "true" | "false";
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description The ETag the change is based on; 412 if it is no longer current */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                collection: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description Invalid input */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Unknown document */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Others point to it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: string;
                        code: string;
                        details?: {
                            path: string;
                            message: string;
                        }[];
                        references?: {
                            collection: string;
                            slug: string;
                            title: string;
                            field: string;
                        }[];
                        total?: number;
                    };
                };
            };
            /** @description Changed since */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getCmsByCollection: {
        parameters: {
            query?: {
                status?: "draft" | "published" | "archived" | "all";
                locale?: string;
                /** @description terms separated by spaces or commas; documents must have all of them, as in a search */
                q?: string;
                /** @description only documents that have no translation in this locale, and are not in it */
                missingLocale?: string;
                /** @description `true`: only documents that wait for a time to be published or withdrawn */
                scheduled?: "true";
                /** @description comma-separated; all of them must match */
                tags?: string;
                /** @description `filter[key]=value` and `filter[key][operator]=value`, operators eq, ne, in, nin, gt, gte, lt, lte, contains, startsWith, exists; at most 10, all of them must match. `in` and `nin` take values separated by commas; `\,` is a comma inside of a value, and `\\` a backslash */
                filter?: {
                    [key: string]: unknown;
                };
                /** @description every match if absent */
                limit?: number;
                offset?: number;
                /** @description a key of the document or of its data; createdAt if absent */
                orderBy?: string;
                /** @description desc if absent */
                order?: "asc" | "desc";
                /** @description relations, comma-separated: `author,related.author`; their documents are in `included`, 200 at most. An empty text names none: `included` is `{}` */
                include?: string;
                /** @description only these keys of data */
                fields?: string;
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description On GET the ETag of a stored copy (304 if it is current); `*` on a creation */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                collection: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of documents and the number of all matches */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentList"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Invalid query */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Unknown collection */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postCmsByCollection: {
        parameters: {
            query?: {
                /** @description `true`: nothing is stored; the answer is what would be (its `id` is made up), or all problems at once */
                dryRun?: "true" | "false";
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description On GET the ETag of a stored copy (304 if it is current); `*` on a creation */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                collection: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDocumentBody"];
            };
        };
        responses: {
            /** @description The document as created */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"] & {
                        skippedFields?: string[];
                        /** @description what a published document points to and readers cannot see; what keeps a document from being published that is not; keys of `data` that no field has */
                        warnings?: {
                            path: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description Invalid input */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Unknown collection */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Slug is taken */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Slug exists */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getCmsByCollectionBySlug: {
        parameters: {
            query?: {
                /** @description relations, comma-separated: `author,related.author`; their documents are in `included`, 200 at most. An empty text names none: `included` is `{}` */
                include?: string;
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description On GET the ETag of a stored copy (304 if it is current); `*` on a creation */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                collection: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"] & {
                        /** @description with `include`: the documents that relations name, each once, by `<collection>/<slug>` */
                        included?: {
                            [key: string]: components["schemas"]["Document"];
                        };
                    };
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Invalid query */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Unknown collection or document */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    putCmsByCollectionBySlug: {
        parameters: {
            query?: {
                /** @description `true`: nothing is stored; the answer is what would be (its `id` is made up), or all problems at once */
                dryRun?: "true" | "false";
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description The ETag the change is based on; 412 if it is no longer current */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                collection: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateDocumentBody"];
            };
        };
        responses: {
            /** @description The document as changed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"] & {
                        skippedFields?: string[];
                        /** @description what a published document points to and readers cannot see; what keeps a document from being published that is not; keys of `data` that no field has */
                        warnings?: {
                            path: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description Invalid input */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Unknown document */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Slug is taken, every field is locked, or `publishAt` comes with changes of a published document */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Changed since */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    deleteCmsByCollectionBySlug: {
        parameters: {
            query?: {
                /** @description `true`: 409 if another document points to it, with a list of who does */
                ifUnreferenced?: "true" | "false";
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description The ETag the change is based on; 412 if it is no longer current */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                collection: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description Invalid input */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Unknown document */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Others point to it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: string;
                        code: string;
                        details?: {
                            path: string;
                            message: string;
                        }[];
                        references?: {
                            collection: string;
                            slug: string;
                            title: string;
                            field: string;
                        }[];
                        total?: number;
                    };
                };
            };
            /** @description Changed since */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    patchCmsByCollectionBySlug: {
        parameters: {
            query?: {
                /** @description `true`: nothing is stored; the answer is what would be (its `id` is made up), or all problems at once */
                dryRun?: "true" | "false";
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description The ETag the change is based on; 412 if it is no longer current */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                collection: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateDocumentBody"];
            };
        };
        responses: {
            /** @description The document as changed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"] & {
                        skippedFields?: string[];
                        /** @description what a published document points to and readers cannot see; what keeps a document from being published that is not; keys of `data` that no field has */
                        warnings?: {
                            path: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description Invalid input */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Unknown document */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Slug is taken, every field is locked, or `publishAt` comes with changes of a published document */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Changed since */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    postCmsByCollectionBulk: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                collection: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkBody"];
            };
        };
        responses: {
            /** @description The answer to each operation, in order */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkResults"];
                };
            };
            /** @description Invalid input */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Unknown collection; with `atomic` also an unknown document */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description With `atomic`: an operation is refused; with `references` if others point to a document to be deleted */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description With `atomic`: a document has changed since */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description With `atomic`: too large together */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getCmsByCollectionFacets: {
        parameters: {
            query?: {
                status?: "draft" | "published" | "archived" | "all";
                locale?: string;
                /** @description terms separated by spaces or commas; documents must have all of them, as in a search */
                q?: string;
                /** @description only documents that have no translation in this locale, and are not in it */
                missingLocale?: string;
                /** @description `true`: only documents that wait for a time to be published or withdrawn */
                scheduled?: "true";
                /** @description comma-separated; all of them must match */
                tags?: string;
                /** @description `filter[key]=value` and `filter[key][operator]=value`, operators eq, ne, in, nin, gt, gte, lt, lte, contains, startsWith, exists; at most 10, all of them must match. `in` and `nin` take values separated by commas; `\,` is a comma inside of a value, and `\\` a backslash */
                filter?: {
                    [key: string]: unknown;
                };
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description On GET the ETag of a stored copy (304 if it is current); `*` on a creation */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                collection: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Counts over the documents that the reader may see */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Facets"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Invalid query */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Unknown collection */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCmsByCollectionBySlugReferences: {
        parameters: {
            query?: {
                /** @description 1000 if absent */
                limit?: number;
                offset?: number;
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path: {
                collection: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The places that the reader may see */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["References"];
                };
            };
            /** @description Invalid query */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Unknown collection or document */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getContentByCollectionBySlugFieldMeta: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path: {
                collection: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description By field name */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentFieldMeta"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Unknown document */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    putContentByCollectionBySlugFieldMetaLockAll: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description The ETag the change is based on; 412 if it is no longer current */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                collection: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["LockAllBody"];
            };
        };
        responses: {
            /** @description The metadata afterwards */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentFieldMeta"];
                };
            };
            /** @description Invalid input */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Unknown document or field */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Changed since */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    putContentByCollectionBySlugFieldMetaUnlockAll: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description The ETag the change is based on; 412 if it is no longer current */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                collection: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metadata afterwards */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentFieldMeta"];
                };
            };
            /** @description Invalid input */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Unknown document or field */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Changed since */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    putContentByCollectionBySlugFieldMetaByFieldPathLock: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description The ETag the change is based on; 412 if it is no longer current */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                collection: string;
                slug: string;
                fieldPath: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["LockFieldBody"];
            };
        };
        responses: {
            /** @description The metadata afterwards */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FieldMeta"];
                };
            };
            /** @description Invalid input */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Unknown document or field */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Changed since */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    putContentByCollectionBySlugFieldMetaByFieldPathUnlock: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description The ETag the change is based on; 412 if it is no longer current */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                collection: string;
                slug: string;
                fieldPath: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metadata afterwards */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FieldMeta"];
                };
            };
            /** @description Invalid input */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Unknown document or field */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Changed since */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    postAdminImport: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description 1000 at most, else 413 */
                    documents: {
                        collection: string;
                        data: {
                            [key: string]: unknown;
                        };
                        /** @description BCP 47 language tag */
                        locale?: string;
                        /** @description slug of the source document */
                        translationOf?: string;
                        /**
                         * Format: uuid
                         * @description shared by a document and its translations
                         */
                        translationGroup?: string;
                        /** @description scheduled publication; null clears it. A future time with changes of a published document is 409 `draft_needed` */
                        publishAt?: string | null;
                        /** @description scheduled withdrawal; null clears it */
                        unpublishAt?: string | null;
                        /** @description URL-friendly, unique within the collection */
                        slug: string;
                        /**
                         * @default published
                         * @enum {string}
                         */
                        status?: "draft" | "published" | "archived";
                    }[];
                    /** @description everything is decided, and nothing written */
                    dryRun?: boolean;
                    /** @description one commit, or nothing if a document is refused */
                    atomic?: boolean;
                };
            };
        };
        responses: {
            /** @description The outcome of each document, in order */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: {
                            /**
                             * @description `left`: with `atomic` another document is refused
                             * @enum {string}
                             */
                            outcome: "created" | "updated" | "unchanged" | "refused" | "left";
                            warnings?: {
                                path: string;
                                message: string;
                            }[];
                            error?: string;
                            code?: string;
                            details?: {
                                path: string;
                                message: string;
                            }[];
                        }[];
                    };
                };
            };
            /** @description Invalid input */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description More than 1000 documents, or 8 MiB */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    postCmsByCollectionBySlugPreview: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                collection: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["MakePreviewBody"];
            };
        };
        responses: {
            /** @description The link */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Preview"];
                };
            };
            /** @description Invalid data */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Unknown collection or document */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getPreviewByToken: {
        parameters: {
            query?: {
                /** @description relations, comma-separated: `author,related.author`; their documents are in `included`, 200 at most. An empty text names none: `included` is `{}` */
                include?: string;
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document, with unsaved data in the place of saved data */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"] & {
                        /** @description with `include`: the documents that relations name, each once, by `<collection>/<slug>` */
                        included?: {
                            [key: string]: components["schemas"]["Document"];
                        };
                    };
                };
            };
            /** @description Invalid query */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The preview has ended */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    putPreviewByToken: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplacePreviewBody"];
            };
        };
        responses: {
            /** @description The same link */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Preview"];
                };
            };
            /** @description Invalid data */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The preview has ended */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getPreviewByToken2: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
            400: components["responses"]["BadRequest"];
            /** @description The preview has ended */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many previews of the site or for the caller wait; try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            500: components["responses"]["InternalError"];
            /** @description Too many previews are being made; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getPreviewByTokenByFile: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path: {
                token: string;
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            400: components["responses"]["BadRequest"];
            /** @description The preview has ended, or the theme has no such file */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCmsByCollectionBySlugHistory: {
        parameters: {
            query?: {
                /** @description all entries if absent, as in lists */
                limit?: number;
                offset?: number;
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path: {
                collection: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of changes, and how many there are */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
            /** @description Invalid query */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Unknown collection or document */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCmsByCollectionBySlugHistoryByCommit: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description On GET the ETag of a stored copy (304 if it is current); `*` on a creation */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                collection: string;
                slug: string;
                commit: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document then */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Unknown document or commit, or the document did not exist then */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCmsByCollectionBySlugDiff: {
        parameters: {
            query?: {
                /** @description the version before `to` if absent */
                from?: string;
                /** @description the newest version if absent */
                to?: string;
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path: {
                collection: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The fields that differ, with both values */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentDiff"];
                };
            };
            /** @description Invalid query */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Unknown document or commit, or the document did not exist then */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postCmsByCollectionBySlugRestore: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description The ETag the change is based on; 412 if it is no longer current */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                collection: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RestoreBody"];
            };
        };
        responses: {
            /** @description The document as restored */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"] & {
                        skippedFields?: string[];
                        /** @description what a published document points to and readers cannot see; what keeps a document from being published that is not; keys of `data` that no field has */
                        warnings?: {
                            path: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description Invalid input, or the version no longer fits the schema */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Unknown document or commit, or the document did not exist then */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description The version’s slug is taken */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Changed since, or deleted */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getAdminTrash: {
        parameters: {
            query?: {
                /** @description all entries if absent, as in lists */
                limit?: number;
                offset?: number;
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deleted documents, and how many there are */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trash"];
                };
            };
            /** @description Invalid query */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCmsChanges: {
        parameters: {
            query?: {
                /** @description `desc`: the newest first, with `title` and `author`; at most 200, 50 if no limit is given */
                order?: "asc" | "desc";
                /** @description with `order=desc`: only changes before this commit; the `next` link has the place to go on. 400 without `order=desc` */
                before?: string;
                /** @description only of this collection, or `media`: with `order=desc`; a page may then have fewer changes, or none, and its `next` link goes on */
                collection?: string;
                /** @description only of the user with this id: with `order=desc`; a page may then have fewer changes, or none, and its `next` link goes on */
                user?: string;
                /** @description not before this moment: with `order=desc`; a page may then have fewer changes, or none, and its `next` link goes on */
                from?: string;
                /** @description before this moment: with `order=desc`; a page may then have fewer changes, or none, and its `next` link goes on */
                to?: string;
                /** @description the last commit seen; every change if absent. 400 with `order=desc` */
                since?: string;
                /** @description every change if absent; at most 1000, a larger limit is reduced to that; the changes of one commit always come together */
                limit?: number;
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description With an event stream: the id of the last event received */
                "Last-Event-ID"?: components["parameters"]["LastEventID"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Changes; continue with the commit of the last one. Events of a stream have it as their id */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changes"];
                    "text/event-stream": string;
                };
            };
            /** @description Invalid query */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The log does not have that commit */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSchema: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Collections and blocks */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        collections: {
                            name: string;
                            label: string;
                            jsonSchema: {
                                [key: string]: unknown;
                            };
                            slug: string;
                        }[];
                        blocks: {
                            name: string;
                            label: string;
                            fields: unknown[];
                            jsonSchema: {
                                [key: string]: unknown;
                            };
                        }[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSchemaByCollection: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path: {
                collection: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The collection */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        label: string;
                        jsonSchema: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getManifest: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The configuration */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        storage: {
                            /** @constant */
                            type: "git";
                        };
                        collections: {
                            [key: string]: unknown;
                        }[];
                        blocks: {
                            [key: string]: unknown;
                        }[];
                        build: {
                            [key: string]: unknown;
                        };
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSearch: {
        parameters: {
            query: {
                /** @description terms separated by spaces or commas; all of them must appear */
                q: string;
                /** @description 50 if absent; over 500 counts as 500 */
                limit?: number;
                offset?: number;
                /** @description only this collection; `media` for media */
                collection?: string;
                status?: "draft" | "published" | "archived" | "all";
                /** @description only documents of this locale */
                locale?: string;
                /** @description `filter[key]=value` and `filter[key][operator]=value`, operators eq, ne, in, nin, gt, gte, lt, lte, contains, startsWith, exists; at most 10, all of them must match. `in` and `nin` take values separated by commas; `\,` is a comma inside of a value, and `\\` a backslash */
                filter?: {
                    [key: string]: unknown;
                };
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Title matches first, then by relevance. `X-CMS-Warnings`, a JSON list as `warnings` of a list has it: names in `filter` that neither a document nor the schema has */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResult"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postUpload: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description at most 50 MiB; the type is detected from its content
                     */
                    file: string;
                    /** @description if absent, images, audio or documents, by the type of the file */
                    folder?: string;
                };
            };
        };
        responses: {
            /** @description The file as stored */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Upload"];
                };
            };
            /** @description Not a multipart form with one file, or an invalid folder */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description The folder cannot be created */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description More than 50 MiB */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Not multipart/form-data, or a file of a type that is not accepted */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getMedia: {
        parameters: {
            query?: {
                /** @description files in this folder, not below it */
                folder?: string;
                type?: "image" | "audio" | "document" | "svg";
                /** @description terms of name, folder, alt text and tags; all must match */
                q?: string;
                /** @description comma-separated; all of them must match */
                tags?: string;
                /** @description createdAt if absent; `folder` sorts by folder and name */
                orderBy?: "createdAt" | "name" | "folder" | "size" | "type";
                /** @description if absent, desc for createdAt and asc for the others */
                order?: "asc" | "desc";
                /** @description every match if absent */
                limit?: number;
                offset?: number;
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description On GET the ETag of a stored copy (304 if it is current); `*` on a creation */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of files and the number of all matches */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MediaList"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Invalid query */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMediaFolders: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description On GET the ETag of a stored copy (304 if it is current); `*` on a creation */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The folders, by name */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MediaFolders"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMediaByFolderByNameReferences: {
        parameters: {
            query?: {
                /** @description 100 if absent */
                limit?: number;
                offset?: number;
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path: {
                folder: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The places that the reader may see */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["References"];
                };
            };
            /** @description Invalid query */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Unknown file */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMediaByNameReferences: {
        parameters: {
            query?: {
                /** @description 100 if absent */
                limit?: number;
                offset?: number;
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The places that the reader may see */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["References"];
                };
            };
            /** @description Invalid query */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Unknown file */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    putMediaByFolderByName: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description The ETag the change is based on; 412 if it is no longer current */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                folder: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description at most 50 MiB
                     */
                    file: string;
                };
            };
        };
        responses: {
            /** @description The file with its new bytes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MediaFile"];
                };
            };
            /** @description No bytes, or not a form with one file */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Unknown file */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Replaced since */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description More than 50 MiB */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A file of a type that is not accepted, or that does not fit the extension */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    deleteMediaByFolderByName: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path: {
                folder: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Unknown file */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    patchMediaByFolderByName: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description The ETag the change is based on; 412 if it is no longer current */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                folder: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeMediaBody"];
            };
        };
        responses: {
            /** @description The file as changed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MediaFile"] & {
                        /** @description documents that still point to the address that the file has left; at most 100 */
                        warnings?: {
                            path: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description Invalid input */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Unknown file */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description The place is taken */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Replaced since */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many documents point to the file */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    putMediaByName: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description The ETag the change is based on; 412 if it is no longer current */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description at most 50 MiB
                     */
                    file: string;
                };
            };
        };
        responses: {
            /** @description The file with its new bytes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MediaFile"];
                };
            };
            /** @description No bytes, or not a form with one file */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Unknown file */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Replaced since */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description More than 50 MiB */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A file of a type that is not accepted, or that does not fit the extension */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    deleteMediaByName: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Unknown file */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    patchMediaByName: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description The ETag the change is based on; 412 if it is no longer current */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeMediaBody"];
            };
        };
        responses: {
            /** @description The file as changed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MediaFile"] & {
                        /** @description documents that still point to the address that the file has left; at most 100 */
                        warnings?: {
                            path: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description Invalid input */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Unknown file */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description The place is taken */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Replaced since */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many documents point to the file */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getUploadsByFolderByName: {
        parameters: {
            query?: {
                /** @description width in pixels; images are never enlarged */
                w?: number;
                /** @description height in pixels */
                h?: number;
                /** @description how the image fills width and height; cover if absent */
                fit?: "cover" | "contain" | "fill" | "inside" | "outside";
                /** @description auto: WebP if the client accepts it; if absent, that of the image, and SVG stays SVG */
                format?: "jpeg" | "png" | "webp" | "avif" | "jpg" | "auto";
                /** @description quality */
                q?: number;
                /** @description the first 12 or more digits of the file's sha256: caches keep the answer for good */
                v?: string;
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description On GET the ETag of a stored copy (304 if it is current); `*` on a creation */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                folder: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes; an SVG without anything that runs or loads */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description The range that was asked for */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not a valid variant */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No such file */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No variant can be made of this file */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The range begins after the end */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many variants of the site or for the caller wait; try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            500: components["responses"]["InternalError"];
            /** @description Too many variants are being made; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getUploadsByName: {
        parameters: {
            query?: {
                /** @description width in pixels; images are never enlarged */
                w?: number;
                /** @description height in pixels */
                h?: number;
                /** @description how the image fills width and height; cover if absent */
                fit?: "cover" | "contain" | "fill" | "inside" | "outside";
                /** @description auto: WebP if the client accepts it; if absent, that of the image, and SVG stays SVG */
                format?: "jpeg" | "png" | "webp" | "avif" | "jpg" | "auto";
                /** @description quality */
                q?: number;
                /** @description the first 12 or more digits of the file's sha256: caches keep the answer for good */
                v?: string;
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description On GET the ETag of a stored copy (304 if it is current); `*` on a creation */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes; an SVG without anything that runs or loads */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description The range that was asked for */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not a valid variant */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No such file */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No variant can be made of this file */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The range begins after the end */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many variants of the site or for the caller wait; try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            500: components["responses"]["InternalError"];
            /** @description Too many variants are being made; try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getAdminRepository: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description newest acknowledged commit */
                        head: string | null;
                        /** @description the commit of refs/heads/main when the service last read it */
                        branch: string | null;
                        /** @description acknowledged commits that the branch does not have yet */
                        unflushed: number;
                        /** @description why writes are refused */
                        refusal: string | null;
                        /** @description the branch was moved to `theirs`, which does not contain `ours`: an operator has to choose a side */
                        moved: {
                            ours: string;
                            theirs: string | null;
                        } | null;
                        /** @description proposals that were pushed to branches `changes/<name>`, by name; 100 at most */
                        branches: {
                            /** @description `changes/<name>` */
                            name: string;
                            /** @description its commit */
                            oid: string;
                            /** @description ISO 8601: 30 days later the branch is removed */
                            movedAt: string | null;
                            /** @description who pushed it; `id` is null if a git program on the disk moved it */
                            movedBy: {
                                id: string | null;
                                name: string;
                                email: string;
                            } | null;
                        }[];
                        warnings: {
                            path: string;
                            problem: string;
                        }[];
                        /** @description of its files, without the bytes of media */
                        sizeBytes: number;
                        /** @description over the quota what stores bytes is 507 `quota_exceeded`; reading and deleting go on */
                        stored: {
                            /** @description of all files of the site, media and builds too, as last measured */
                            bytes: number;
                            /** @description the most that it may have (`CMS_SITE_QUOTA`); null for any */
                            quotaBytes: number | null;
                        };
                        /** @description the result of the last `POST /api/admin/repository/verify` */
                        checked: {
                            /** @description ISO 8601 */
                            at: string;
                            /** @description the newest commit when it ended */
                            commit: string | null;
                            problems: number;
                            warnings: number;
                        } | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postAdminRepositoryResolve: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description the other side stays under refs/colophon/kept/
                     * @enum {string}
                     */
                    keep: "ours" | "theirs";
                    /** @description their commit as the person who chooses was shown it, null for none: another one there by now is 409 */
                    theirs?: string | null;
                };
            };
        };
        responses: {
            /** @description The state; writes are accepted again */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description newest acknowledged commit */
                        head: string | null;
                        /** @description the commit of refs/heads/main when the service last read it */
                        branch: string | null;
                        /** @description acknowledged commits that the branch does not have yet */
                        unflushed: number;
                        /** @description why writes are refused */
                        refusal: string | null;
                        /** @description the branch was moved to `theirs`, which does not contain `ours`: an operator has to choose a side */
                        moved: {
                            ours: string;
                            theirs: string | null;
                        } | null;
                        /** @description proposals that were pushed to branches `changes/<name>`, by name; 100 at most */
                        branches: {
                            /** @description `changes/<name>` */
                            name: string;
                            /** @description its commit */
                            oid: string;
                            /** @description ISO 8601: 30 days later the branch is removed */
                            movedAt: string | null;
                            /** @description who pushed it; `id` is null if a git program on the disk moved it */
                            movedBy: {
                                id: string | null;
                                name: string;
                                email: string;
                            } | null;
                        }[];
                        warnings: {
                            path: string;
                            problem: string;
                        }[];
                        /** @description of its files, without the bytes of media */
                        sizeBytes: number;
                        /** @description over the quota what stores bytes is 507 `quota_exceeded`; reading and deleting go on */
                        stored: {
                            /** @description of all files of the site, media and builds too, as last measured */
                            bytes: number;
                            /** @description the most that it may have (`CMS_SITE_QUOTA`); null for any */
                            quotaBytes: number | null;
                        };
                        /** @description the result of the last `POST /api/admin/repository/verify` */
                        checked: {
                            /** @description ISO 8601 */
                            at: string;
                            /** @description the newest commit when it ended */
                            commit: string | null;
                            problems: number;
                            warnings: number;
                        } | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description The branch was not moved away, or moved again, or the side to keep does not exist */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    postAdminRepositoryVerify: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report. A stream has events `progress` with `{"text"}` and ends with one `report`, or `failed` with `{"error", "code"}`. The check ends when the client hangs up */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        counts: {
                            commits: number;
                            /** @description read and hashed, for each commit that brings them */
                            objects: number;
                            packs: number;
                            /** @description JSON files below `content/` in the newest commit */
                            files: number;
                            /** @description documents of the index */
                            documents: number;
                        };
                        /** @description empty if the site is sound */
                        problems: string[];
                        /** @description files that are not valid documents: harmless, but worth a look */
                        warnings: string[];
                        site: string;
                    };
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The site is already being checked */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            /** @description The repository cannot be read now (see `GET /api/admin/repository`), or the service is stopping */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            507: components["responses"]["StorageFull"];
        };
    };
    getAdminRemote: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        url: string;
                        branch: string;
                        push: boolean;
                        /** @description the last known commit of the remote's branch */
                        remoteHead: string | null;
                        /** @description commits that are not pushed yet, as far as the service knows */
                        ahead: number;
                        /** @description commits of the remote that the site does not have yet */
                        behind: number;
                        lastFetchAt: string | null;
                        lastPushAt: string | null;
                        /** @description since when changes wait to be pushed */
                        unpushedSince: string | null;
                        lastError: {
                            message: string;
                            at: string;
                        } | null;
                        /** @description since the start of the service */
                        failures: number;
                        /** @description the remote was force-pushed to `theirs`, which does not contain `seen`: an operator has to choose a side */
                        moved: {
                            seen: string;
                            theirs: string | null;
                        } | null;
                        /** @description what an operator should know, as `/readyz` has it: bytes that the host lacks, a host without Git LFS */
                        warnings: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The site has no remote */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postAdminRemoteSync: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state; the remote has every change written before the request */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        url: string;
                        branch: string;
                        push: boolean;
                        /** @description the last known commit of the remote's branch */
                        remoteHead: string | null;
                        /** @description commits that are not pushed yet, as far as the service knows */
                        ahead: number;
                        /** @description commits of the remote that the site does not have yet */
                        behind: number;
                        lastFetchAt: string | null;
                        lastPushAt: string | null;
                        /** @description since when changes wait to be pushed */
                        unpushedSince: string | null;
                        lastError: {
                            message: string;
                            at: string;
                        } | null;
                        /** @description since the start of the service */
                        failures: number;
                        /** @description the remote was force-pushed to `theirs`, which does not contain `seen`: an operator has to choose a side */
                        moved: {
                            seen: string;
                            theirs: string | null;
                        } | null;
                        /** @description what an operator should know, as `/readyz` has it: bytes that the host lacks, a host without Git LFS */
                        warnings: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The site has no remote */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The remote was force-pushed: choose a side first */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            /** @description The remote failed; the message says how */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    postAdminRemoteResolve: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description the other side stays under refs/colophon/kept/
                     * @enum {string}
                     */
                    keep: "ours" | "theirs";
                    /** @description their commit as the person who chooses was shown it, null for none: another one there by now is 409 */
                    theirs?: string | null;
                };
            };
        };
        responses: {
            /** @description The state; syncing continues */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        url: string;
                        branch: string;
                        push: boolean;
                        /** @description the last known commit of the remote's branch */
                        remoteHead: string | null;
                        /** @description commits that are not pushed yet, as far as the service knows */
                        ahead: number;
                        /** @description commits of the remote that the site does not have yet */
                        behind: number;
                        lastFetchAt: string | null;
                        lastPushAt: string | null;
                        /** @description since when changes wait to be pushed */
                        unpushedSince: string | null;
                        lastError: {
                            message: string;
                            at: string;
                        } | null;
                        /** @description since the start of the service */
                        failures: number;
                        /** @description the remote was force-pushed to `theirs`, which does not contain `seen`: an operator has to choose a side */
                        moved: {
                            seen: string;
                            theirs: string | null;
                        } | null;
                        /** @description what an operator should know, as `/readyz` has it: bytes that the host lacks, a host without Git LFS */
                        warnings: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The site has no remote */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description The remote was not force-pushed, or was moved again */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            /** @description The remote failed; the message says how */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getAdminBackups: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The backups */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        snapshots: {
                            id: string;
                            /** @description null if the backup failed before it had a commit */
                            commit: string | null;
                            /** Format: date-time */
                            createdAt: string;
                            /** @enum {string} */
                            trigger: "manual" | "scheduled" | "restore";
                            /** @description who requested it; absent if the schedule did, and in backups of earlier versions */
                            createdBy?: {
                                id: string | null;
                                name: string;
                            };
                            documents: number;
                            /** @description collections that have documents */
                            collections: number;
                            mediaFiles: number;
                            /** @description of the archive of `_data` */
                            sizeBytes: number;
                            /** @description of the archive of `_data` */
                            sha256: string | null;
                            /** @enum {string} */
                            status: "creating" | "complete" | "failed";
                            error?: string;
                            remote?: {
                                /** @enum {string} */
                                status: "pending" | "complete" | "failed";
                                key: string;
                                sizeBytes?: number;
                                sha256?: string;
                                error?: string;
                            };
                        }[];
                        /** @description the backup that is being restored */
                        restoring: string | null;
                        /** @description the restore that ended last since the service started */
                        lastRestore: {
                            id: string;
                            endedAt: string;
                            /** @description why it failed */
                            error: string | null;
                        } | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postAdminBackups: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description "manual" if absent
                     * @enum {string}
                     */
                    trigger?: "manual" | "scheduled";
                };
            };
        };
        responses: {
            /** @description The backup */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @description null if the backup failed before it had a commit */
                        commit: string | null;
                        /** Format: date-time */
                        createdAt: string;
                        /** @enum {string} */
                        trigger: "manual" | "scheduled" | "restore";
                        /** @description who requested it; absent if the schedule did, and in backups of earlier versions */
                        createdBy?: {
                            id: string | null;
                            name: string;
                        };
                        documents: number;
                        /** @description collections that have documents */
                        collections: number;
                        mediaFiles: number;
                        /** @description of the archive of `_data` */
                        sizeBytes: number;
                        /** @description of the archive of `_data` */
                        sha256: string | null;
                        /** @enum {string} */
                        status: "creating" | "complete" | "failed";
                        error?: string;
                        remote?: {
                            /** @enum {string} */
                            status: "pending" | "complete" | "failed";
                            key: string;
                            sizeBytes?: number;
                            sha256?: string;
                            error?: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description The site has nothing to back up yet */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getAdminBackupsByIdChanges: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many documents and media files */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description by collection and slug: a renamed document counts as removed and added */
                        documents: {
                            added: number;
                            changed: number;
                            removed: number;
                        };
                        /** @description a file whose description alone differs counts as changed */
                        media: {
                            added: number;
                            changed: number;
                            removed: number;
                        };
                        /** @description files that are neither, and differ */
                        otherFiles: number;
                        /** @description the newest commit, which the backup is compared with */
                        commit: string | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description No such backup */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description It is not complete */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAdminBackupsByIdArchive: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The archive */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/gzip": unknown;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description No such backup */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description It is not complete */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            /** @description Too many archives are being downloaded, or this one is damaged */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postAdminBackupsByIdRestore: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description also restore the files of `_data` (false if absent) */
                    includeData?: boolean;
                };
            };
        };
        responses: {
            /** @description The restored backup, and the new commit */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        restored: {
                            id: string;
                            /** @description null if the backup failed before it had a commit */
                            commit: string | null;
                            /** Format: date-time */
                            createdAt: string;
                            /** @enum {string} */
                            trigger: "manual" | "scheduled" | "restore";
                            /** @description who requested it; absent if the schedule did, and in backups of earlier versions */
                            createdBy?: {
                                id: string | null;
                                name: string;
                            };
                            documents: number;
                            /** @description collections that have documents */
                            collections: number;
                            mediaFiles: number;
                            /** @description of the archive of `_data` */
                            sizeBytes: number;
                            /** @description of the archive of `_data` */
                            sha256: string | null;
                            /** @enum {string} */
                            status: "creating" | "complete" | "failed";
                            error?: string;
                            remote?: {
                                /** @enum {string} */
                                status: "pending" | "complete" | "failed";
                                key: string;
                                sizeBytes?: number;
                                sha256?: string;
                                error?: string;
                            };
                        };
                        /** @description a backup of the state before */
                        before: {
                            id: string;
                            /** @description null if the backup failed before it had a commit */
                            commit: string | null;
                            /** Format: date-time */
                            createdAt: string;
                            /** @enum {string} */
                            trigger: "manual" | "scheduled" | "restore";
                            /** @description who requested it; absent if the schedule did, and in backups of earlier versions */
                            createdBy?: {
                                id: string | null;
                                name: string;
                            };
                            documents: number;
                            /** @description collections that have documents */
                            collections: number;
                            mediaFiles: number;
                            /** @description of the archive of `_data` */
                            sizeBytes: number;
                            /** @description of the archive of `_data` */
                            sha256: string | null;
                            /** @enum {string} */
                            status: "creating" | "complete" | "failed";
                            error?: string;
                            remote?: {
                                /** @enum {string} */
                                status: "pending" | "complete" | "failed";
                                key: string;
                                sizeBytes?: number;
                                sha256?: string;
                                error?: string;
                            };
                        };
                        /** @description null if the content was the same as in the backup */
                        commit: string | null;
                        dataFiles: number | null;
                        /** @description files of the backup that are not shown, such as those of collections that are no longer configured */
                        warnings: {
                            path: string;
                            problem: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The token belongs to an agent */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No such backup */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description It is not complete, or a restore is under way */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    deleteAdminBackupsById: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is removed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description No such backup */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description It is being made or restored */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getAdminSiteConfig: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All settings; secrets only as set or not */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @default UTC */
                        timezone: string;
                        backupSchedule: "" | string;
                        /** @default 30 */
                        backupRetention: number;
                        backupTarget: {
                            endpoint: unknown;
                            /** @default us-east-1 */
                            region: string;
                            bucket: string;
                            /** @default  */
                            prefix: unknown;
                            accessKeyId: string;
                            secretAccessKey: {
                                /** @constant */
                                set: true;
                                last4: string;
                            } | {
                                /** @constant */
                                set: false;
                            };
                        } | null;
                        linkCheckSchedule: "" | string;
                        previewSiteUrl: "" | string;
                        /** @default false */
                        allowPrivateTargets: boolean;
                        /** @default null */
                        mcpPublic: boolean | null;
                        deployProvider: "" | ("" | "github-pages" | "vercel" | "netlify" | "fly" | "cloudflare-pages" | "fly-live" | "webhook");
                        deployHookUrl: "" | string;
                        /** @default false */
                        deployOnSave: boolean;
                        deployCron: "" | string;
                        deployAppName: "" | string;
                        deployApiToken: {
                            /** @constant */
                            set: true;
                            last4: string;
                        } | {
                            /** @constant */
                            set: false;
                        };
                        /** @default gh-pages */
                        deployBranch: string;
                        revalidateUrl: "" | string;
                        revalidateSecret: {
                            /** @constant */
                            set: true;
                            last4: string;
                        } | {
                            /** @constant */
                            set: false;
                        };
                        deployDomain: "" | string;
                        vercelToken: {
                            /** @constant */
                            set: true;
                            last4: string;
                        } | {
                            /** @constant */
                            set: false;
                        };
                        vercelProject: "" | string;
                        vercelTeamId: "" | string;
                        netlifyToken: {
                            /** @constant */
                            set: true;
                            last4: string;
                        } | {
                            /** @constant */
                            set: false;
                        };
                        netlifySiteId: "" | string;
                        cloudflareToken: {
                            /** @constant */
                            set: true;
                            last4: string;
                        } | {
                            /** @constant */
                            set: false;
                        };
                        cloudflareAccountId: "" | string;
                        cloudflareProjectName: "" | string;
                        flyToken: {
                            /** @constant */
                            set: true;
                            last4: string;
                        } | {
                            /** @constant */
                            set: false;
                        };
                        flyOrg: "" | string;
                        flyAppName: "" | string;
                        /** @default arn */
                        flyRegion: string;
                        /** @default site_data */
                        flyVolumeName: string;
                        flyDomain: "" | string;
                        flyImage: "" | string;
                        /**
                         * @default shared-cpu-1x
                         * @enum {string}
                         */
                        flyVmSize: "shared-cpu-1x" | "shared-cpu-2x" | "dedicated-1x";
                        syncUrl: "" | unknown;
                        syncSecret: {
                            /** @constant */
                            set: true;
                            last4: string;
                        } | {
                            /** @constant */
                            set: false;
                        };
                        /** @default https://github.com */
                        githubUrl: unknown;
                        /** @default https://api.github.com */
                        githubApiUrl: unknown;
                        /** @default https://api.vercel.com */
                        vercelApiUrl: unknown;
                        /** @default https://api.netlify.com/api/v1 */
                        netlifyApiUrl: unknown;
                        /** @default https://api.cloudflare.com/client/v4 */
                        cloudflareApiUrl: unknown;
                        /** @default https://api.machines.dev/v1 */
                        flyApiUrl: unknown;
                        webhooks: {
                            id: string;
                            url: string;
                            secret: {
                                /** @constant */
                                set: true;
                                last4: string;
                            } | {
                                /** @constant */
                                set: false;
                            };
                            events: unknown;
                        }[];
                        /** @description path of the content repository on the server */
                        resolvedContentDir: string;
                        /** @description settings that have no effect as they are, and what is missing */
                        problems: {
                            path: string;
                            message: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postAdminSiteConfig: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description The ETag the change is based on; 412 if it is no longer current */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    timezone?: string | (null | "");
                    backupSchedule?: string | (null | "");
                    backupRetention?: number | (null | "");
                    backupTarget?: {
                        endpoint?: string;
                        /** @default us-east-1 */
                        region?: string;
                        bucket?: string;
                        prefix?: string;
                        accessKeyId?: string;
                        secretAccessKey?: string | ({
                            /** @constant */
                            set: true;
                            last4: string;
                        } | {
                            /** @constant */
                            set: false;
                        });
                    } | (null | "");
                    linkCheckSchedule?: string | (null | "");
                    previewSiteUrl?: string | (null | "");
                    allowPrivateTargets?: boolean | (null | "");
                    mcpPublic?: (boolean | null) | (null | "");
                    deployProvider?: ("" | "github-pages" | "vercel" | "netlify" | "fly" | "cloudflare-pages" | "fly-live" | "webhook") | (null | "");
                    deployHookUrl?: string | (null | "");
                    deployOnSave?: boolean | (null | "");
                    deployCron?: string | (null | "");
                    deployAppName?: string | (null | "");
                    deployApiToken?: string | ({
                        /** @constant */
                        set: true;
                        last4: string;
                    } | {
                        /** @constant */
                        set: false;
                    }) | {
                        /** @constant */
                        generate: true;
                    } | null;
                    deployBranch?: string | (null | "");
                    revalidateUrl?: string | (null | "");
                    revalidateSecret?: string | ({
                        /** @constant */
                        set: true;
                        last4: string;
                    } | {
                        /** @constant */
                        set: false;
                    }) | {
                        /** @constant */
                        generate: true;
                    } | null;
                    deployDomain?: string | (null | "");
                    vercelToken?: string | ({
                        /** @constant */
                        set: true;
                        last4: string;
                    } | {
                        /** @constant */
                        set: false;
                    }) | {
                        /** @constant */
                        generate: true;
                    } | null;
                    vercelProject?: string | (null | "");
                    vercelTeamId?: string | (null | "");
                    netlifyToken?: string | ({
                        /** @constant */
                        set: true;
                        last4: string;
                    } | {
                        /** @constant */
                        set: false;
                    }) | {
                        /** @constant */
                        generate: true;
                    } | null;
                    netlifySiteId?: string | (null | "");
                    cloudflareToken?: string | ({
                        /** @constant */
                        set: true;
                        last4: string;
                    } | {
                        /** @constant */
                        set: false;
                    }) | {
                        /** @constant */
                        generate: true;
                    } | null;
                    cloudflareAccountId?: string | (null | "");
                    cloudflareProjectName?: string | (null | "");
                    flyToken?: string | ({
                        /** @constant */
                        set: true;
                        last4: string;
                    } | {
                        /** @constant */
                        set: false;
                    }) | {
                        /** @constant */
                        generate: true;
                    } | null;
                    flyOrg?: string | (null | "");
                    flyAppName?: string | (null | "");
                    flyRegion?: string | (null | "");
                    flyVolumeName?: string | (null | "");
                    flyDomain?: string | (null | "");
                    flyImage?: string | (null | "");
                    flyVmSize?: ("shared-cpu-1x" | "shared-cpu-2x" | "dedicated-1x") | (null | "");
                    syncUrl?: string | (null | "");
                    syncSecret?: string | ({
                        /** @constant */
                        set: true;
                        last4: string;
                    } | {
                        /** @constant */
                        set: false;
                    }) | {
                        /** @constant */
                        generate: true;
                    } | null;
                    githubUrl?: string | (null | "");
                    githubApiUrl?: string | (null | "");
                    vercelApiUrl?: string | (null | "");
                    netlifyApiUrl?: string | (null | "");
                    cloudflareApiUrl?: string | (null | "");
                    flyApiUrl?: string | (null | "");
                    webhooks?: {
                        id?: string;
                        url: string;
                        secret?: string | ({
                            /** @constant */
                            set: true;
                            last4: string;
                        } | {
                            /** @constant */
                            set: false;
                        }) | {
                            /** @constant */
                            generate: true;
                        } | null;
                        events: ("*" | "content.created" | "content.updated" | "content.renamed" | "content.published" | "content.unpublished" | "content.archived" | "content.deleted" | "content.restored" | "form.submitted" | "media.uploaded" | "media.deleted" | "deploy.started" | "deploy.success" | "deploy.failure" | "backup.completed" | "backup.failed" | "agent.completed" | "agent.failed")[];
                    }[] | (null | "");
                };
            };
        };
        responses: {
            /** @description The settings after the change */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @default UTC */
                        timezone: string;
                        backupSchedule: "" | string;
                        /** @default 30 */
                        backupRetention: number;
                        backupTarget: {
                            endpoint: unknown;
                            /** @default us-east-1 */
                            region: string;
                            bucket: string;
                            /** @default  */
                            prefix: unknown;
                            accessKeyId: string;
                            secretAccessKey: {
                                /** @constant */
                                set: true;
                                last4: string;
                            } | {
                                /** @constant */
                                set: false;
                            };
                        } | null;
                        linkCheckSchedule: "" | string;
                        previewSiteUrl: "" | string;
                        /** @default false */
                        allowPrivateTargets: boolean;
                        /** @default null */
                        mcpPublic: boolean | null;
                        deployProvider: "" | ("" | "github-pages" | "vercel" | "netlify" | "fly" | "cloudflare-pages" | "fly-live" | "webhook");
                        deployHookUrl: "" | string;
                        /** @default false */
                        deployOnSave: boolean;
                        deployCron: "" | string;
                        deployAppName: "" | string;
                        deployApiToken: {
                            /** @constant */
                            set: true;
                            last4: string;
                        } | {
                            /** @constant */
                            set: false;
                        };
                        /** @default gh-pages */
                        deployBranch: string;
                        revalidateUrl: "" | string;
                        revalidateSecret: {
                            /** @constant */
                            set: true;
                            last4: string;
                        } | {
                            /** @constant */
                            set: false;
                        };
                        deployDomain: "" | string;
                        vercelToken: {
                            /** @constant */
                            set: true;
                            last4: string;
                        } | {
                            /** @constant */
                            set: false;
                        };
                        vercelProject: "" | string;
                        vercelTeamId: "" | string;
                        netlifyToken: {
                            /** @constant */
                            set: true;
                            last4: string;
                        } | {
                            /** @constant */
                            set: false;
                        };
                        netlifySiteId: "" | string;
                        cloudflareToken: {
                            /** @constant */
                            set: true;
                            last4: string;
                        } | {
                            /** @constant */
                            set: false;
                        };
                        cloudflareAccountId: "" | string;
                        cloudflareProjectName: "" | string;
                        flyToken: {
                            /** @constant */
                            set: true;
                            last4: string;
                        } | {
                            /** @constant */
                            set: false;
                        };
                        flyOrg: "" | string;
                        flyAppName: "" | string;
                        /** @default arn */
                        flyRegion: string;
                        /** @default site_data */
                        flyVolumeName: string;
                        flyDomain: "" | string;
                        flyImage: "" | string;
                        /**
                         * @default shared-cpu-1x
                         * @enum {string}
                         */
                        flyVmSize: "shared-cpu-1x" | "shared-cpu-2x" | "dedicated-1x";
                        syncUrl: "" | unknown;
                        syncSecret: {
                            /** @constant */
                            set: true;
                            last4: string;
                        } | {
                            /** @constant */
                            set: false;
                        };
                        /** @default https://github.com */
                        githubUrl: unknown;
                        /** @default https://api.github.com */
                        githubApiUrl: unknown;
                        /** @default https://api.vercel.com */
                        vercelApiUrl: unknown;
                        /** @default https://api.netlify.com/api/v1 */
                        netlifyApiUrl: unknown;
                        /** @default https://api.cloudflare.com/client/v4 */
                        cloudflareApiUrl: unknown;
                        /** @default https://api.machines.dev/v1 */
                        flyApiUrl: unknown;
                        webhooks: {
                            id: string;
                            url: string;
                            secret: {
                                /** @constant */
                                set: true;
                                last4: string;
                            } | {
                                /** @constant */
                                set: false;
                            };
                            events: unknown;
                        }[];
                        /** @description path of the content repository on the server */
                        resolvedContentDir: string;
                        /** @description settings that have no effect as they are, and what is missing */
                        problems: {
                            path: string;
                            message: string;
                        }[];
                        /** @description secrets that were made, by dotted path; shown only once */
                        generated?: {
                            [key: string]: string;
                        };
                        /** @description stored secrets that are gone, because what they act on has changed */
                        warnings?: {
                            path: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description Nothing has changed; `details` names every wrong key */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description The settings have changed since they were read */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getAdminSiteConfigShape: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What a form for the settings consists of */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sections: {
                            name: string;
                            title: string;
                            groups: {
                                title?: string;
                                /** @description values of `deployProvider` that read these settings; absent for all */
                                providers?: string[];
                                settings: string[];
                            }[];
                        }[];
                        /** @description a JSON Schema for each setting, with `title`, `description` and `default`; `writeOnly` for a secret, `canBeMade` if `{generate: true}` makes one, `isMasked` if a read shows only the origin, `unit` of a number, `names` of the values of `enum`, `fixed` with the reason if it cannot be changed on this site, `forgets` with the stored secrets that a change of it clears unless it sends them */
                        properties: {
                            [key: string]: {
                                [key: string]: unknown;
                            };
                        };
                        webhookEvents: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAdminAudit: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                /** @description the id of the user who acted */
                user?: string;
                /** @description `settings.updated`, or `settings.` for all of that kind */
                action?: string;
                /** @description not before this moment */
                from?: string;
                /** @description before this moment */
                to?: string;
                /** @description `jsonl`: all entries, without pages and filters ("json" if absent) */
                format?: "json" | "jsonl";
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. Entries about users and their sign-ins need `team:manage`; entries about the whole service need it for every site. With `format=jsonl` all entries, oldest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        entries: {
                            id: string;
                            /** @description ISO 8601 */
                            at: string;
                            site: string | null;
                            actor: {
                                /** @description the user; null for the command line and the service itself */
                                id: string | null;
                                name: string;
                                email: string;
                                /** @description the access token that was used */
                                tokenId?: string;
                            };
                            /** @description such as `settings.updated` or `user.added` */
                            action: string;
                            /** @description the id of the changed object, if it has one */
                            target: string | null;
                            changes: {
                                key: string;
                                before: unknown;
                                after: unknown;
                            }[];
                            /** @description SHA-256 of the line before it in the file; absent in old entries */
                            prev?: string;
                            /** @description the account that acted, in its current state; null if it is gone, or if no account is named */
                            user: components["schemas"]["Account"] | null;
                        }[];
                        total: number;
                    };
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAdminLinkCheck: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report, or null before the first run */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        running: boolean;
                        /** @description of the last completed run */
                        report: {
                            startedAt: string;
                            finishedAt: string;
                            /** @description published documents that were read */
                            documents: number;
                            /** @description documents that took too long to read */
                            unread: number;
                            /** @description links in them, counted each time they occur */
                            links: number;
                            /** @description different addresses with a known result */
                            checked: number;
                            /** @description external addresses that were requested in this run */
                            asked: number;
                            /** @description links that were left for a later run, or beyond a limit */
                            skipped: number;
                            /** @description external addresses whose server wants a login or fewer requests, or leads to another host */
                            unsure: number;
                            /** @description false if time ran out, or there were more links than one run checks */
                            isComplete: boolean;
                            broken: {
                                url: string;
                                /** @enum {string} */
                                kind: "internal" | "external";
                                /** @description the server's answer; null if there was no answer */
                                status: number | null;
                                /** @description internal: `not_found`, `not_published`, `bad_url`; external: `http_status`, `timeout`, `unreachable`, `private_address`, `redirect_loop`, `too_many_redirects`, `bad_url` */
                                error: string;
                                /** @description the first 10 places of the link */
                                documents: {
                                    collection: string;
                                    slug: string;
                                    field: string;
                                }[];
                                /** @description how often the link occurs */
                                places: number;
                            }[];
                            /** @description number of broken links; the list has at most 2,000 */
                            brokenTotal: number;
                        } | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postAdminLinkCheck: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done: the report of this run */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        running: boolean;
                        /** @description of the last completed run */
                        report: {
                            startedAt: string;
                            finishedAt: string;
                            /** @description published documents that were read */
                            documents: number;
                            /** @description documents that took too long to read */
                            unread: number;
                            /** @description links in them, counted each time they occur */
                            links: number;
                            /** @description different addresses with a known result */
                            checked: number;
                            /** @description external addresses that were requested in this run */
                            asked: number;
                            /** @description links that were left for a later run, or beyond a limit */
                            skipped: number;
                            /** @description external addresses whose server wants a login or fewer requests, or leads to another host */
                            unsure: number;
                            /** @description false if time ran out, or there were more links than one run checks */
                            isComplete: boolean;
                            broken: {
                                url: string;
                                /** @enum {string} */
                                kind: "internal" | "external";
                                /** @description the server's answer; null if there was no answer */
                                status: number | null;
                                /** @description internal: `not_found`, `not_published`, `bad_url`; external: `http_status`, `timeout`, `unreachable`, `private_address`, `redirect_loop`, `too_many_redirects`, `bad_url` */
                                error: string;
                                /** @description the first 10 places of the link */
                                documents: {
                                    collection: string;
                                    slug: string;
                                    field: string;
                                }[];
                                /** @description how often the link occurs */
                                places: number;
                            }[];
                            /** @description number of broken links; the list has at most 2,000 */
                            brokenTotal: number;
                        } | null;
                    };
                };
            };
            /** @description Still running; the report is of the run before */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        running: boolean;
                        /** @description of the last completed run */
                        report: {
                            startedAt: string;
                            finishedAt: string;
                            /** @description published documents that were read */
                            documents: number;
                            /** @description documents that took too long to read */
                            unread: number;
                            /** @description links in them, counted each time they occur */
                            links: number;
                            /** @description different addresses with a known result */
                            checked: number;
                            /** @description external addresses that were requested in this run */
                            asked: number;
                            /** @description links that were left for a later run, or beyond a limit */
                            skipped: number;
                            /** @description external addresses whose server wants a login or fewer requests, or leads to another host */
                            unsure: number;
                            /** @description false if time ran out, or there were more links than one run checks */
                            isComplete: boolean;
                            broken: {
                                url: string;
                                /** @enum {string} */
                                kind: "internal" | "external";
                                /** @description the server's answer; null if there was no answer */
                                status: number | null;
                                /** @description internal: `not_found`, `not_published`, `bad_url`; external: `http_status`, `timeout`, `unreachable`, `private_address`, `redirect_loop`, `too_many_redirects`, `bad_url` */
                                error: string;
                                /** @description the first 10 places of the link */
                                documents: {
                                    collection: string;
                                    slug: string;
                                    field: string;
                                }[];
                                /** @description how often the link occurs */
                                places: number;
                            }[];
                            /** @description number of broken links; the list has at most 2,000 */
                            brokenTotal: number;
                        } | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getAdminLinkCheckProgress: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its progress; ask once a second */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        running: boolean;
                        /** @description null if no check is under way */
                        progress: {
                            startedAt: string;
                            /** @description published documents that were read so far */
                            documents: number;
                            /** @description links in them */
                            links: number;
                            /** @description external addresses that were requested so far */
                            asked: number;
                            /** @description how many will be requested; null while documents are read */
                            due: number | null;
                        } | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAdminRevalidations: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The revalidations */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description newest first */
                        revalidations: components["schemas"]["Revalidation"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postAdminRevalidationsResend: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description They are on their way */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: true;
                        /** @description published documents with pages that are sent now */
                        documents: number;
                    };
                };
            };
            /** @description revalidateUrl or revalidateSecret is not set */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            /** @description Too much waits for the frontend */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            507: components["responses"]["StorageFull"];
        };
    };
    postAdminDeploy: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description a build profile; the default one if absent */
                    profile?: string;
                    /** @description for an address of its own; what is live stays live (false if absent) */
                    preview?: boolean;
                };
            };
        };
        responses: {
            /** @description The deploy, or the one that was queued already */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: true;
                        deploy: {
                            id: string;
                            provider: string;
                            profile: string | null;
                            /** @enum {string} */
                            status: "queued" | "building" | "uploading" | "success" | "failure" | "cancelled";
                            url: string | null;
                            error: string | null;
                            /** @enum {string} */
                            trigger: "manual" | "save" | "schedule" | "revalidation" | "rollback";
                            by: string | null;
                            preview: boolean;
                            /** Format: date-time */
                            startedAt: string;
                            durationMs: number | null;
                            commit: string | null;
                            waitsUntil: string | null;
                            files: {
                                total: number;
                                sent: number;
                            };
                            /** @default false */
                            mayBeLive: boolean;
                        };
                    };
                };
            };
            /** @description Something has to be set first, or the profile or the preview is not possible */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description Another kind of deploy is queued */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getAdminDeploys: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deploys */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deploys: {
                            id: string;
                            provider: string;
                            profile: string | null;
                            /** @enum {string} */
                            status: "queued" | "building" | "uploading" | "success" | "failure" | "cancelled";
                            url: string | null;
                            error: string | null;
                            /** @enum {string} */
                            trigger: "manual" | "save" | "schedule" | "revalidation" | "rollback";
                            by: string | null;
                            preview: boolean;
                            /** Format: date-time */
                            startedAt: string;
                            durationMs: number | null;
                            commit: string | null;
                            waitsUntil: string | null;
                            files: {
                                total: number;
                                sent: number;
                            };
                            /** @default false */
                            mayBeLive: boolean;
                        }[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAdminDeploysLive: {
        parameters: {
            query?: {
                collection?: string;
                slug?: string;
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The live deploy, or null */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        commit: string | null;
                        /** Format: date-time */
                        at: string;
                        url: string | null;
                        /**
                         * @description whether the newest version of the document that the query names is live
                         * @enum {string}
                         */
                        document?: "live" | "older" | "absent";
                    } | null;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description A document is named, and content:read is missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Unknown collection or document */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAdminDeploysTarget: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The target, or null */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        provider: string;
                        /** @description the provider for people: `Vercel` */
                        label: string;
                        hasPreviews: boolean;
                        hasRollback: boolean;
                        /** @description settings that it needs and that are not set; their names without values */
                        missing: {
                            path: string;
                            message: string;
                        }[];
                    } | null;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAdminDeploysById: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deploy */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        provider: string;
                        profile: string | null;
                        /** @enum {string} */
                        status: "queued" | "building" | "uploading" | "success" | "failure" | "cancelled";
                        url: string | null;
                        error: string | null;
                        /** @enum {string} */
                        trigger: "manual" | "save" | "schedule" | "revalidation" | "rollback";
                        by: string | null;
                        preview: boolean;
                        /** Format: date-time */
                        startedAt: string;
                        durationMs: number | null;
                        commit: string | null;
                        waitsUntil: string | null;
                        files: {
                            total: number;
                            sent: number;
                        };
                        /** @default false */
                        mayBeLive: boolean;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description No such deploy */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAdminDeploysByIdLog: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description With an event stream: the id of the last event received */
                "Last-Event-ID"?: components["parameters"]["LastEventID"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The last MiB, without secrets. A stream has events `log {text}`, then `end {status}` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description No such deploy */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postAdminDeploysByIdCancel: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deploy, cancelled */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: true;
                        deploy: {
                            id: string;
                            provider: string;
                            profile: string | null;
                            /** @enum {string} */
                            status: "queued" | "building" | "uploading" | "success" | "failure" | "cancelled";
                            url: string | null;
                            error: string | null;
                            /** @enum {string} */
                            trigger: "manual" | "save" | "schedule" | "revalidation" | "rollback";
                            by: string | null;
                            preview: boolean;
                            /** Format: date-time */
                            startedAt: string;
                            durationMs: number | null;
                            commit: string | null;
                            waitsUntil: string | null;
                            files: {
                                total: number;
                                sent: number;
                            };
                            /** @default false */
                            mayBeLive: boolean;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description No such deploy */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description It has ended */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    postAdminDeploysByIdRollback: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new deploy */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: true;
                        deploy: {
                            id: string;
                            provider: string;
                            profile: string | null;
                            /** @enum {string} */
                            status: "queued" | "building" | "uploading" | "success" | "failure" | "cancelled";
                            url: string | null;
                            error: string | null;
                            /** @enum {string} */
                            trigger: "manual" | "save" | "schedule" | "revalidation" | "rollback";
                            by: string | null;
                            preview: boolean;
                            /** Format: date-time */
                            startedAt: string;
                            durationMs: number | null;
                            commit: string | null;
                            waitsUntil: string | null;
                            files: {
                                total: number;
                                sent: number;
                            };
                            /** @default false */
                            mayBeLive: boolean;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description No such deploy */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The host cannot, or the deploy was not a success, or was a preview */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getAdminDeployNotify: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events `deploy-done {status, url, app, duration, at}` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Too many event streams */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postAdminDeployNotify: {
        parameters: {
            query?: {
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    status: "success" | "failure";
                    /** @description the address of the site */
                    url: string;
                    /** @description the name of the app, or another name for it */
                    app: string;
                    /** @description seconds */
                    duration: number;
                };
            };
        };
        responses: {
            /** @description How many streams were notified */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: true;
                        /** @description how many streams were notified */
                        clients: number;
                    };
                };
            };
            /** @description Invalid input */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The secret is not set or not this one */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            403: components["responses"]["Forbidden"];
            /** @description The query names a site that does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            507: components["responses"]["StorageFull"];
        };
    };
    getAdminDeployGithubStatus: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run; `{found: false}` without a token, a repository or a run */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        found: false;
                    } | {
                        /** @constant */
                        found: true;
                        runId: number;
                        /** @enum {string} */
                        status: "queued" | "in_progress" | "completed";
                        conclusion: ("success" | "failure" | "cancelled" | "skipped") | null;
                        url: string;
                        /** Format: date-time */
                        startedAt: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            /** @description The git host refused, or cannot be reached; the sentence says what to check */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
    };
    getFormsByName: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
            400: components["responses"]["BadRequest"];
            /** @description No such form */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postFormsByName: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
                "application/x-www-form-urlencoded": {
                    [key: string]: unknown;
                };
                "multipart/form-data": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description It was accepted, or fell into the honeypot */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FormTaken"];
                    "text/html": string;
                };
            };
            /** @description It was accepted from an HTML form; redirects to the form’s `successRedirect` */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Fields are invalid (each is in `details`), or the challenge was not solved */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            403: components["responses"]["Forbidden"];
            /** @description No such form */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description It is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is neither JSON nor of an HTML form */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The address has used up its submissions of this hour */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            500: components["responses"]["InternalError"];
            /** @description The challenge cannot be verified */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getFormsByNameSchema: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its fields */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FormSchema"];
                };
            };
            400: components["responses"]["BadRequest"];
            /** @description No such form */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCmsHeartbeat: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The actions and errors */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Heartbeat"];
                };
            };
            400: components["responses"]["BadRequest"];
            /** @description Without the service token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getCmsScheduled: {
        parameters: {
            query?: {
                /** @description everything that is past due, too, if absent */
                from?: string;
                to?: string;
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description At most 1,000 events, the soonest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Planned"];
                };
            };
            /** @description Invalid query */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCmsScheduledCalendarIcs: {
        parameters: {
            query?: {
                /** @description required; from `GET /api/admin/calendar` */
                token?: string;
                /** @description organization id */
                org?: string;
                /** @description site id */
                site?: string;
            };
            header?: {
                /** @description On GET the ETag of a stored copy (304 if it is current); `*` on a creation */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description iCalendar */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/calendar": unknown;
                };
            };
            /** @description Not changed */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            /** @description The token is missing or not valid for this site */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Its owner may no longer read this site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No such site in this organization */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getAdminCalendar: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CalendarLink"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postAdminCalendarRotate: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller's new link */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CalendarLink"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getAdminForms: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Forms in the order of the configuration, then forms that it no longer has */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        forms: components["schemas"]["FormEntry"][];
                        unread: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAdminFormsByNameSubmissions: {
        parameters: {
            query?: {
                status?: "new" | "read" | "archived";
                /** @description every match if absent */
                limit?: number;
                offset?: number;
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of submissions; `total` counts all with that status */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        submissions: components["schemas"]["FormSubmission"][];
                        total: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description No such form */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAdminFormsByNameSubmissionsById: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path: {
                name: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The submission */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FormSubmission"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description No such form or submission */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteAdminFormsByNameSubmissionsById: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path: {
                name: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description No such form or submission */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    patchAdminFormsByNameSubmissionsById: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path: {
                name: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    status: "new" | "read" | "archived";
                };
            };
        };
        responses: {
            /** @description The submission as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FormSubmission"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description No such form or submission */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getAdminFormsSubmissions: {
        parameters: {
            query?: {
                status?: "new" | "read" | "archived";
                /** @description at most 100 */
                limit?: number;
                offset?: number;
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of submissions; `total` counts all with that status */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        submissions: components["schemas"]["FormSubmission"][];
                        total: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postAdminFormsByNameSubmissionsBulk: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    ids: string[];
                    /**
                     * @description the status that they get; `deleted` removes them for good
                     * @enum {string}
                     */
                    status: "new" | "read" | "archived" | "deleted";
                };
            };
        };
        responses: {
            /** @description What was changed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description ids of those that exist and now have the status, or are deleted */
                        changed: string[];
                        /** @description ids of which there is no submission */
                        missing: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description No such form */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getAdminFormsByNameExport: {
        parameters: {
            query?: {
                status?: "new" | "read" | "archived";
                /** @description whether the file begins with a byte order mark, which Excel wants ("false" if absent) */
                bom?: "true" | "false";
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description id, status, createdAt, readAt, then the fields of the form, then fields that it once had. A cell that would start with =, +, -, @, tab or CR is prefixed with an apostrophe */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": unknown;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description No such form */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getFormsByNameWidgetJs: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description About 4 KB, without dependencies */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": unknown;
                };
            };
            400: components["responses"]["BadRequest"];
            /** @description No such form */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAdminWebhooksDeliveries: {
        parameters: {
            query?: {
                /** @description the webhook's id */
                webhook?: string;
                event?: string;
                state?: "pending" | "delivered" | "failed";
                /** @description over 1000 counts as 1000 */
                limit?: number;
                offset?: number;
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deliveries */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deliveries: components["schemas"]["WebhookDelivery"][];
                        total: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAdminWebhooksDeliveriesById: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryWithBody"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description No such delivery, or it is too old */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postAdminWebhooksDeliveriesByIdRedeliver: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, on its way */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description No such delivery, or it is too old */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Its webhook was removed */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    postAdminWebhooksByIdTest: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, on its way */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description No such webhook */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getCmsBrandVoice: {
        parameters: {
            query?: {
                locale?: string;
                /** @description all versions in place of the active one */
                versions?: "1";
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The voice */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrandVoiceVersion"] | components["schemas"]["BrandVoiceTranslation"] | {
                        versions: components["schemas"]["BrandVoiceVersion"][];
                        activeId: string | null;
                    };
                };
            };
            /** @description Not a language tag */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The budget of the day is used up; `Retry-After` says when it begins anew */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The role does not permit it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No voice is saved */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            /** @description The provider refused, is busy, or its answer does not fit */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No provider is set up */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postCmsBrandVoice: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description The ETag the change is based on; 412 if it is no longer current */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    industry?: string;
                    description?: string;
                    /** @description a language tag; that of the site if absent */
                    language?: string;
                    targetAudience?: string;
                    /** @description the voice in one sentence */
                    primaryTone?: string;
                    brandPersonality?: string[];
                    contentGoals?: string[];
                    contentPillars?: string[];
                    avoidTopics?: string[];
                    seoKeywords?: string[];
                    examplePhrases?: string[];
                };
            };
        };
        responses: {
            /** @description The new version */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrandVoiceVersion"];
                };
            };
            /** @description Not a record, or one that says nothing about a voice */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The role does not permit it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description Another version was saved, edited or activated since; `ETag` is the present state */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    postCmsBrandVoiceChat: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description the whole interview so far; empty to begin it */
                    messages: {
                        /** @enum {string} */
                        role: "user" | "assistant";
                        content: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description Events `text {text}`, `saved {version}` after the last step, `error {message, code}`, `done {usage}` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            /** @description Messages that do not fit */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The budget of the day is used up; `Retry-After` says when it begins anew */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The role does not permit it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description The first request with this Idempotency-Key is still being answered */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            /** @description No provider is set up */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            507: components["responses"]["StorageFull"];
        };
    };
    postCmsBrandVoiceTranslate: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    locale: string;
                };
            };
        };
        responses: {
            /** @description The translation */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrandVoiceTranslation"];
                };
            };
            /** @description Not a language tag */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The budget of the day is used up; `Retry-After` says when it begins anew */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The role does not permit it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No voice is saved */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description The voice is in this language already */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            /** @description The provider refused, is busy, or its answer does not fit */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No provider is set up */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            507: components["responses"]["StorageFull"];
        };
    };
    patchCmsBrandVoiceVersionsById: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description The ETag the change is based on; 412 if it is no longer current */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    action?: "activate";
                    name?: string;
                    industry?: string;
                    description?: string;
                    /** @description a language tag; that of the site if absent */
                    language?: string;
                    targetAudience?: string;
                    /** @description the voice in one sentence */
                    primaryTone?: string;
                    brandPersonality?: string[];
                    contentGoals?: string[];
                    contentPillars?: string[];
                    avoidTopics?: string[];
                    seoKeywords?: string[];
                    examplePhrases?: string[];
                };
            };
        };
        responses: {
            /** @description The version */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrandVoiceVersion"];
                };
            };
            /** @description Not a record, or one that says nothing about a voice */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The role does not permit it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No such version */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Another version was saved, edited or activated since; `ETag` is the present state */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    postCmsChat: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChatBody"];
            };
        };
        responses: {
            /** @description Events `text {text}`, `tool_call {id, tool, input}`, `tool_result {id, tool, result}`, `confirm {id, tool, effect, document}`, `error {message, code}`, `done {conversationId, usage}` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            /** @description Messages that do not fit */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The budget of the day is used up; `Retry-After` says when it begins anew */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            403: components["responses"]["Forbidden"];
            /** @description No such conversation of the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description The conversation is too long to go on with */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            /** @description No provider is set up */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            507: components["responses"]["StorageFull"];
        };
    };
    postCmsChatByIdConfirm: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChatConfirmBody"];
            };
        };
        responses: {
            /** @description It is done, or refused */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        tool: string;
                        /** @description such as `delete` or `publish` */
                        effect: string;
                        /** @description null for a deploy and an upload */
                        document: {
                            collection: string;
                            slug: string | null;
                            title: string;
                        } | null;
                        /** @description what the tool is called with, while it waits; without the bytes of a file */
                        input: {
                            [key: string]: unknown;
                        } | null;
                        /** @enum {string} */
                        state: "waiting" | "running" | "done" | "failed" | "refused" | "expired";
                        /** Format: date-time */
                        createdAt: string;
                        /** Format: date-time */
                        expiresAt: string;
                        decidedAt: string | null;
                        /** @description why it failed */
                        problem: {
                            code: string;
                            error: string;
                        } | null;
                        /** @description what the tool returned */
                        result?: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The right to do it is missing by now */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No such confirmation of the caller: its conversation may be deleted */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description It was answered before, or has expired */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description What it is about has changed since */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getCmsChatConversations: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description At most 200 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        conversations: {
                            id: string;
                            /** @description the beginning of the first message */
                            title: string;
                            createdAt: string;
                            updatedAt: string;
                            messageCount: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteCmsChatConversations: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getCmsChatConversationsById: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was said */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conversation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description No such conversation of the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteCmsChatConversationsById: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description No such conversation of the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getCmsAi: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state; the provider itself is not asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AiState"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postCmsAiGenerate: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description The ETag the change is based on; 412 if it is no longer current */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GenerateBody"];
            };
        };
        responses: {
            /** @description A proposal, or with `apply` the document */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GeneratedProposal"] | (components["schemas"]["Document"] & {
                        skippedFields?: string[];
                        warnings?: {
                            path: string;
                            message: string;
                        }[];
                    });
                };
            };
            /** @description Queued for a person, because the caller may not publish */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueuedChange"];
                };
            };
            /** @description Invalid input */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The budget of the day is used up; `Retry-After` says when it begins anew */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            403: components["responses"]["Forbidden"];
            /** @description Unknown collection or document */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Every field is locked, or the collection is not translatable */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Changed since, or while the model was asked */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The text does not fit the model */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            /** @description The provider refused, is busy, or its answer does not fit */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No provider is set up */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            507: components["responses"]["StorageFull"];
        };
    };
    postCmsAiRewrite: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description The ETag the change is based on; 412 if it is no longer current */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RewriteBody"];
            };
        };
        responses: {
            /** @description A proposal, or with `apply` the document */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GeneratedProposal"] | (components["schemas"]["Document"] & {
                        skippedFields?: string[];
                        warnings?: {
                            path: string;
                            message: string;
                        }[];
                    });
                };
            };
            /** @description Queued for a person, because the caller may not publish */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueuedChange"];
                };
            };
            /** @description Invalid input */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The budget of the day is used up; `Retry-After` says when it begins anew */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            403: components["responses"]["Forbidden"];
            /** @description Unknown collection or document */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Every field is locked, or the collection is not translatable */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Changed since, or while the model was asked */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The text does not fit the model */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            /** @description The provider refused, is busy, or its answer does not fit */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No provider is set up */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            507: components["responses"]["StorageFull"];
        };
    };
    postCmsAiSeo: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description The ETag the change is based on; 412 if it is no longer current */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SeoBody"];
            };
        };
        responses: {
            /** @description A proposal, or with `apply` the document */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GeneratedProposal"] | (components["schemas"]["Document"] & {
                        skippedFields?: string[];
                        warnings?: {
                            path: string;
                            message: string;
                        }[];
                    });
                };
            };
            /** @description Queued for a person, because the caller may not publish */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueuedChange"];
                };
            };
            /** @description Invalid input */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The budget of the day is used up; `Retry-After` says when it begins anew */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            403: components["responses"]["Forbidden"];
            /** @description Unknown collection or document */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Every field is locked, or the collection is not translatable */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Changed since, or while the model was asked */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The text does not fit the model */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            /** @description The provider refused, is busy, or its answer does not fit */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No provider is set up */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            507: components["responses"]["StorageFull"];
        };
    };
    postCmsAiTranslate: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description The ETag the change is based on; 412 if it is no longer current */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description On GET the ETag of a stored copy (304 if it is current); `*` on a creation */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TranslateBody"];
            };
        };
        responses: {
            /** @description A proposal, or with `apply` the document */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GeneratedProposal"] | (components["schemas"]["Document"] & {
                        skippedFields?: string[];
                        warnings?: {
                            path: string;
                            message: string;
                        }[];
                    });
                };
            };
            /** @description Queued for a person, because the caller may not publish */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueuedChange"];
                };
            };
            /** @description Invalid input */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The budget of the day is used up; `Retry-After` says when it begins anew */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            403: components["responses"]["Forbidden"];
            /** @description Unknown collection or document */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description Every field is locked, or the collection is not translatable */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Changed since, or while the model was asked */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The text does not fit the model */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            /** @description The provider refused, is busy, or its answer does not fit */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No provider is set up */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            507: components["responses"]["StorageFull"];
        };
    };
    getCmsCuration: {
        parameters: {
            query?: {
                /** @description ready and in_review if absent */
                status?: "ready" | "in_review" | "approved" | "rejected" | "published" | "all";
                agent?: string;
                stats?: "true" | "false";
                limit?: number;
                offset?: number;
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of items; `total` counts all matches */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["CurationItem"][];
                        total: number;
                        stats?: components["schemas"]["CurationStats"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCmsCurationById: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The item */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurationItem"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description No such item */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchCmsCurationById: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description The ETag the change is based on; 412 if it is no longer current */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    fields?: {
                        [key: string]: unknown;
                    };
                    /** @constant */
                    status?: "in_review";
                    /** @description what the document had in these fields when the editor looked; as it is now, if absent */
                    base?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description The item as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurationItem"];
                };
            };
            /** @description A field is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description No such item */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description It is decided already */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The item has changed since; `ETag` is the present version */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    postCmsCurationByIdApprove: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description The ETag the change is based on; 412 if it is no longer current */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    asDraft?: boolean;
                    alternative?: number;
                    /** @description the fields to take over; the others stay as they are in the document. All if absent */
                    fields?: string[];
                    /** @description an edit of the item's own data, carried out with the approval or not at all */
                    edit?: {
                        fields: {
                            [key: string]: unknown;
                        };
                        /** @description what the document had in these fields when the editor looked; as it is now, if absent */
                        base?: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description The item as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurationItem"] & {
                        /** @description what a published document points to and readers cannot see; what keeps a document from being published that is not; keys of `data` that no field has */
                        warnings?: {
                            path: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description The document would not be valid, or no such alternative */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description No such item */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description It is decided already; all of its fields are locked; or the document has changed since in the same fields, which `versions` shows */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: string;
                        code: string;
                        details?: {
                            path: string;
                            message: string;
                        }[];
                        versions?: {
                            current: {
                                [key: string]: unknown;
                            } | null;
                            proposed: {
                                [key: string]: unknown;
                            };
                            base: {
                                [key: string]: unknown;
                            };
                        };
                    };
                };
            };
            /** @description The item has changed since; `ETag` is the present version */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    postCmsCurationByIdReject: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description The ETag the change is based on; 412 if it is no longer current */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    feedback?: string;
                };
            };
        };
        responses: {
            /** @description The item as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurationItem"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description No such item */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description It is decided already */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The item has changed since; `ETag` is the present version */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    postCmsCurationByIdReopen: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description The ETag the change is based on; 412 if it is no longer current */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The item as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurationItem"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description No such item */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description It is not rejected */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The item has changed since; `ETag` is the present version */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getCmsAgents: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        agents: components["schemas"]["Agent"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postCmsAgents: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentBody"];
            };
        };
        responses: {
            /** @description The agent */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description Invalid input, or an unknown collection */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getCmsAgentsById: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description No such agent */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    putCmsAgentsById: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description The ETag the change is based on; 412 if it is no longer current */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentReplaceBody"];
            };
        };
        responses: {
            /** @description The agent */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description Invalid input, or an unknown collection */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description No such agent */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description The configuration has changed since; `ETag` is the present version */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    deleteCmsAgentsById: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description No such agent */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    postCmsAgentsByIdRun: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    prompt: string;
                    collection: string;
                };
            };
        };
        responses: {
            /** @description The run, as it ended */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentRun"];
                    "text/event-stream": string;
                };
            };
            /** @description Invalid input, or a collection that the agent may not write */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description The budget is used up */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            403: components["responses"]["Forbidden"];
            /** @description No such agent */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description The agent is not active, or stopped with the credentials that activated it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            /** @description No provider is set up */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            507: components["responses"]["StorageFull"];
        };
    };
    getCmsAgentsByIdRuns: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Runs */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        runs: components["schemas"]["AgentRun"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description No such agent */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postCmsAgentsByIdRunsByRunIdCancel: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run, as it ended */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentRun"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description No such agent or run */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description It has ended */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    postMcp: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The JSON-RPC answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            /** @description A notification was received */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not one JSON-RPC message, or of a protocol version that is not known */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A page of another origin */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The site shows strangers nothing, or has turned it off */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    postMcpAdmin: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The JSON-RPC answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            /** @description A notification was received */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not one JSON-RPC message, or of a protocol version that is not known */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description A page of another origin */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getMcpInfo: {
        parameters: {
            query?: {
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server metadata */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        version: string;
                        protocolVersions: string[];
                        /** @constant */
                        transport: "streamable-http";
                        endpoints: {
                            public: {
                                path: string;
                                enabled: boolean;
                                /** @enum {string} */
                                auth: "none" | "bearer";
                            };
                            admin: {
                                path: string;
                                enabled: boolean;
                                /** @enum {string} */
                                auth: "none" | "bearer";
                            };
                        };
                        auth: {
                            authenticated: boolean;
                            /** @description of the caller */
                            permissions: string[];
                            /** @constant */
                            scheme: "bearer";
                        };
                        rateLimit: {
                            /** @description for each address */
                            public: {
                                requests: number;
                                perSeconds: number;
                            };
                            admin: null;
                        };
                        /** @description the tools that the caller may use */
                        tools: {
                            name: string;
                            title: string;
                            description: string;
                            readOnly: boolean;
                        }[];
                        collections: {
                            name: string;
                            label: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getAdminProvisionOptions: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Templates, regions and sizes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        templates: {
                            name: string;
                            title: string;
                            description: string;
                            /** @description address of its picture */
                            image: string;
                        }[];
                        regions: string[];
                        sizes: string[];
                        /** @description true if `image` has to be named: CMS_PROVISION_IMAGE is not set */
                        needsImage: boolean;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAdminProvisionTemplatesByNameImage: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": unknown;
                    "image/svg+xml": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description No such template */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAdminProvision: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Without tokens and set-up links */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description newest first */
                        provisions: {
                            template: string;
                            /** @description unique over all of Fly; the address is https://<appName>.fly.dev */
                            appName: string;
                            /** @description an image with the command `colophon`; that of CMS_PROVISION_IMAGE if absent */
                            image?: string;
                            flyOrg?: string;
                            id: string;
                            region: string;
                            vmSize: string;
                            adminEmail: string;
                            /** @description the address that it has once it is done */
                            url: string;
                            /** Format: date-time */
                            startedAt: string;
                            /** @enum {string} */
                            status: "running" | "done" | "failed" | "interrupted" | "stopped";
                            error: string | null;
                            /** @description what a removal takes away */
                            made: {
                                app: boolean;
                                volumes: number;
                                machines: number;
                                ips: number;
                                secrets: number;
                            };
                            /** @description true if a removal has to send `flyToken` */
                            needsToken: boolean;
                        }[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postAdminProvision: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    template: string;
                    /** @description unique over all of Fly; the address is https://<appName>.fly.dev */
                    appName: string;
                    /** @description "arn" if absent */
                    region?: string;
                    /**
                     * @description "shared-cpu-1x" if absent
                     * @enum {string}
                     */
                    vmSize?: "shared-cpu-1x" | "shared-cpu-2x" | "dedicated-1x";
                    /** Format: email */
                    adminEmail: string;
                    /** @description kept in memory only, for as long as the provisioning takes and an hour to undo it */
                    flyToken: string;
                    /** @description keys of AI services for the new service; without them it has none */
                    aiKeys?: {
                        /** @description kept in memory only, until it is a secret of the new service */
                        ANTHROPIC_API_KEY?: string;
                        /** @description kept in memory only, until it is a secret of the new service */
                        OPENAI_API_KEY?: string;
                        /** Format: uri */
                        OPENAI_BASE_URL?: string;
                    };
                    flyOrg?: string;
                    /** @description an image with the command `colophon`; that of CMS_PROVISION_IMAGE if absent */
                    image?: string;
                };
            };
        };
        responses: {
            /** @description It has begun */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            /** @description One of this app name is under way, or another user made it */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            /** @description Several others are under way */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    postAdminProvisionCheck: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    template?: string;
                    /** @description unique over all of Fly; the address is https://<appName>.fly.dev */
                    appName?: string;
                    region?: string;
                    /** @enum {string} */
                    vmSize?: "shared-cpu-1x" | "shared-cpu-2x" | "dedicated-1x";
                    /** Format: email */
                    adminEmail?: string;
                    /** @description kept in memory only, for as long as the provisioning takes and an hour to undo it */
                    flyToken?: string;
                    /** @description keys of AI services for the new service; without them it has none */
                    aiKeys?: {
                        /** @description kept in memory only, until it is a secret of the new service */
                        ANTHROPIC_API_KEY?: string;
                        /** @description kept in memory only, until it is a secret of the new service */
                        OPENAI_API_KEY?: string;
                        /** Format: uri */
                        OPENAI_BASE_URL?: string;
                    };
                    flyOrg?: string;
                    /** @description an image with the command `colophon`; that of CMS_PROVISION_IMAGE if absent */
                    image?: string;
                };
            };
        };
        responses: {
            /** @description Whether Fly accepts the token */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description false if Fly refuses the token */
                        ok: boolean;
                        /** @description slugs; one of them is `flyOrg` */
                        organizations: string[];
                        /**
                         * @description what Fly has under `appName`, if both it and a token that is accepted are sent
                         * @enum {string}
                         */
                        app?: "free" | "ours" | "taken";
                    };
                };
            };
            /** @description What is sent would be refused */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            /** @description Fly cannot be asked */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getAdminProvisionByIdEvents: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events `step`, `done`, `error` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The caller began no provisioning with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteAdminProvisionById: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description kept in memory only, for as long as the provisioning takes and an hour to undo it */
                    flyToken?: string;
                };
            };
        };
        responses: {
            /** @description Removed; `left` says what stays, and why */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: true;
                        left: string | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The caller began no provisioning with this id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description The token is needed */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            /** @description Fly did not remove it; it may be asked again */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    getAdminPeople: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description By name */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        people: {
                            id: string;
                            name: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAdminStatus: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The parts that the caller may see */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteStatus"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAdminEvents: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description With an event stream: the id of the last event received */
                "Last-Event-ID"?: components["parameters"]["LastEventID"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `hello {version, head}` first; then `change` and `media` (a change of the feed with `title` and `author`), `deploy` (as `deploy-done`, with deploy:read), `deploy-run {id, status}` (each change of a deploy, with deploy:read), `revalidation {id}` after each attempt (with deploy:read), `submission {form, id, change, status}` (with forms:read), `job {job, state}` of a scheduled job, of a `link-check`, of a `restore`, after which anything may have changed, and of a `backup` (with sites:read), `curation {id, status, waiting}` of an item of the curation queue, `agent {id, change}` of an agent and its runs (with org:settings:read), `voice {activeId}` of the brand voice (admins and editors), `conversation {id, change}` of a chat of the caller, `team {id}` of a user and their sessions (with team:manage), and `presence {collection, slug, people}`. After `hello` of another connection without its `Last-Event-ID`, anything may have changed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Too many event streams */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postAdminPresence: {
        parameters: {
            query?: {
                /** @description Site id */
                site?: string;
            };
            header?: {
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    collection: string;
                    slug: string;
                    /** @description false when the document is closed (true if absent) */
                    open?: boolean;
                };
            };
        };
        responses: {
            /** @description Who has it open */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Presence"];
                };
            };
            /** @description Invalid input */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Unknown collection or document */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
    postAuthLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    password: string;
                    /** @description a code of the authenticator app, or a recovery code */
                    code?: string;
                };
            };
        };
        responses: {
            /** @description Signed in; sets the session cookie, and one for the browser */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                        email: string;
                        name: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            /** @description Wrong e-mail, password or code; `one_time_code_required` asks for a code */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The account is suspended; or its role requires the second factor of the sign-in provider */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too many failures; see Retry-After */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            500: components["responses"]["InternalError"];
            507: components["responses"]["StorageFull"];
        };
    };
    postAuthLogout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out; clears the session cookie */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            507: components["responses"]["StorageFull"];
        };
    };
    getAuthMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user, or null if nobody is signed in; renews a session cookie that is a day old */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        user: {
                            id: string;
                            email: string;
                            name: string;
                            /** @enum {string} */
                            role: "admin" | "editor" | "author" | "viewer";
                            siteRole: string | null;
                            zoom: number;
                        } | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getAuthSetup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description False before the first set-up */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        hasUsers: boolean;
                        /** @description true if the set-up needs `setupToken` */
                        tokenRequired?: boolean;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    postAuthSetup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    password: string;
                    name: string;
                    /** @description required if `tokenRequired` is true */
                    setupToken?: string;
                };
            };
        };
        responses: {
            /** @description Created; sets the session cookie */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                        email: string;
                        name: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            /** @description There are users already; or the set-up token is missing or wrong */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            507: components["responses"]["StorageFull"];
        };
    };
    getAdminProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The profile; renews a session cookie that is a day old */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        user: {
                            id: string;
                            email: string;
                            name: string;
                            /** @enum {string} */
                            role: "admin" | "editor" | "author" | "viewer";
                            siteRole: string | null;
                            zoom: number;
                        };
                        lastActiveOrg: string | null;
                        lastActiveSite: string | null;
                        permissions: ("content:read" | "content:write" | "content:publish" | "content:draft" | "content:read-published" | "repository:write" | "media:read" | "media:write" | "media:delete" | "deploy:trigger" | "deploy:read" | "forms:read" | "forms:write" | "team:manage" | "tokens:manage" | "sites:read" | "sites:write" | "org:settings:read" | "org:settings:write")[];
                        sites: {
                            id: string;
                            org: string;
                        }[];
                        /** @description true for every site, and those to come */
                        allSites: boolean;
                        oneTimeCodes: {
                            on: boolean;
                            /** @description the role requires them; the user may do nothing else until they are on */
                            wanted: boolean;
                            recoveryCodesLeft: number;
                        };
                        /** @description what the user’s pages remember */
                        preferences: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    postAdminProfile: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    email?: string;
                    currentPassword?: string;
                    newPassword?: string;
                    zoom?: number;
                    lastActiveOrg?: string | null;
                    lastActiveSite?: string | null;
                };
            };
        };
        responses: {
            /** @description Changed; sets a new session cookie */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        user: {
                            id: string;
                            email: string;
                            name: string;
                            /** @enum {string} */
                            role: "admin" | "editor" | "author" | "viewer";
                            siteRole: string | null;
                            zoom: number;
                        };
                        lastActiveOrg: string | null;
                        lastActiveSite: string | null;
                        permissions: ("content:read" | "content:write" | "content:publish" | "content:draft" | "content:read-published" | "repository:write" | "media:read" | "media:write" | "media:delete" | "deploy:trigger" | "deploy:read" | "forms:read" | "forms:write" | "team:manage" | "tokens:manage" | "sites:read" | "sites:write" | "org:settings:read" | "org:settings:write")[];
                        sites: {
                            id: string;
                            org: string;
                        }[];
                        /** @description true for every site, and those to come */
                        allSites: boolean;
                        oneTimeCodes: {
                            on: boolean;
                            /** @description the role requires them; the user may do nothing else until they are on */
                            wanted: boolean;
                            recoveryCodesLeft: number;
                        };
                        /** @description what the user’s pages remember */
                        preferences: {
                            [key: string]: unknown;
                        };
                        ok: boolean;
                        /** @description the new address, which takes effect when the link that was mailed to it is used */
                        emailPending?: string;
                        /** @description after a new password: the access tokens that remain valid */
                        tokens?: {
                            id: string;
                            name: string;
                            masked: string;
                        }[];
                    };
                };
            };
            /** @description Invalid input, or the current password is wrong or missing */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description Only the team’s managers may change the e-mail address, or the user has no access to the site */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description The e-mail address is taken */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            /** @description Too many wrong passwords, or too many changes in an hour; see Retry-After */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            500: components["responses"]["InternalError"];
            507: components["responses"]["StorageFull"];
        };
    };
    patchAdminProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description merged by top-level keys, null removes one; 8192 bytes of JSON at most */
                    preferences: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description The profile */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        user: {
                            id: string;
                            email: string;
                            name: string;
                            /** @enum {string} */
                            role: "admin" | "editor" | "author" | "viewer";
                            siteRole: string | null;
                            zoom: number;
                        };
                        lastActiveOrg: string | null;
                        lastActiveSite: string | null;
                        permissions: ("content:read" | "content:write" | "content:publish" | "content:draft" | "content:read-published" | "repository:write" | "media:read" | "media:write" | "media:delete" | "deploy:trigger" | "deploy:read" | "forms:read" | "forms:write" | "team:manage" | "tokens:manage" | "sites:read" | "sites:write" | "org:settings:read" | "org:settings:write")[];
                        sites: {
                            id: string;
                            org: string;
                        }[];
                        /** @description true for every site, and those to come */
                        allSites: boolean;
                        oneTimeCodes: {
                            on: boolean;
                            /** @description the role requires them; the user may do nothing else until they are on */
                            wanted: boolean;
                            recoveryCodesLeft: number;
                        };
                        /** @description what the user’s pages remember */
                        preferences: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            /** @description Invalid input, or too large */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            507: components["responses"]["StorageFull"];
        };
    };
    getAdminSessions: {
        parameters: {
            query?: {
                user?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The open sessions, most recently seen first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sessions: {
                            id: string;
                            userId: string;
                            /** Format: date-time */
                            createdAt: string;
                            /**
                             * Format: date-time
                             * @description to within a minute; up to five are lost in a crash
                             */
                            lastSeenAt: string;
                            userAgent: string;
                            /** @description the address it was last seen from */
                            address: string;
                            /** @description true for the session of this request */
                            current: boolean;
                        }[];
                        total: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description They are another user’s, and team:manage or some of that user’s rights are missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No such user */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    deleteAdminSessions: {
        parameters: {
            query?: {
                user?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ended at once */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description how many */
                        ended: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description They are another user’s, and team:manage or some of that user’s rights are missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No such user */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            507: components["responses"]["StorageFull"];
        };
    };
    deleteAdminSessionsById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ended at once; if it was the current session, its cookie is cleared */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The session belongs to a user with more rights */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No such session */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            507: components["responses"]["StorageFull"];
        };
    };
    getAdminAccessTokens: {
        parameters: {
            query?: {
                user?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tokens */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tokens: {
                            id: string;
                            name: string;
                            permissions: ("content:read" | "content:write" | "content:publish" | "content:draft" | "content:read-published" | "repository:write" | "media:read" | "media:write" | "media:delete" | "deploy:trigger" | "deploy:read" | "forms:read" | "forms:write" | "team:manage" | "tokens:manage" | "sites:read" | "sites:write" | "org:settings:read" | "org:settings:write")[];
                            resources: {
                                /** @enum {string} */
                                scope: "org" | "site";
                                /** @enum {string} */
                                effect: "include" | "exclude";
                                targets: "*" | string[];
                            }[];
                            masked: string;
                            /** Format: date-time */
                            createdAt: string;
                            notAfter: string | null;
                            /**
                             * @description `ai`: changes made with the token count as an AI’s, which locked fields do not accept
                             * @enum {string}
                             */
                            actor: "user" | "ai";
                            /** @description to within a minute; up to five are lost in a crash */
                            lastUsedAt: string | null;
                            /** @description the address it was last used from */
                            lastUsedFrom: string | null;
                        }[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The role may not have tokens; or they are another user’s, and team:manage or some of that user’s rights are missing */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No such user */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    postAdminAccessTokens: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    permissions: ("content:read" | "content:write" | "content:publish" | "content:draft" | "content:read-published" | "repository:write" | "media:read" | "media:write" | "media:delete" | "deploy:trigger" | "deploy:read" | "forms:read" | "forms:write" | "team:manage" | "tokens:manage" | "sites:read" | "sites:write" | "org:settings:read" | "org:settings:write")[];
                    resources?: {
                        /** @enum {string} */
                        scope: "org" | "site";
                        /** @enum {string} */
                        effect: "include" | "exclude";
                        targets: "*" | string[];
                    }[];
                    notAfter?: string | null;
                    /** @enum {string} */
                    actor?: "user" | "ai";
                };
            };
        };
        responses: {
            /** @description The token, shown only this once */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        permissions: ("content:read" | "content:write" | "content:publish" | "content:draft" | "content:read-published" | "repository:write" | "media:read" | "media:write" | "media:delete" | "deploy:trigger" | "deploy:read" | "forms:read" | "forms:write" | "team:manage" | "tokens:manage" | "sites:read" | "sites:write" | "org:settings:read" | "org:settings:write")[];
                        resources: {
                            /** @enum {string} */
                            scope: "org" | "site";
                            /** @enum {string} */
                            effect: "include" | "exclude";
                            targets: "*" | string[];
                        }[];
                        masked: string;
                        /** Format: date-time */
                        createdAt: string;
                        notAfter: string | null;
                        /**
                         * @description `ai`: changes made with the token count as an AI’s, which locked fields do not accept
                         * @enum {string}
                         */
                        actor: "user" | "ai";
                        /** @description to within a minute; up to five are lost in a crash */
                        lastUsedAt: string | null;
                        /** @description the address it was last used from */
                        lastUsedFrom: string | null;
                        token: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            /** @description The user has too many tokens; revoke one first */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            /** @description Too many changes of one’s own account in an hour; see Retry-After */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            500: components["responses"]["InternalError"];
            507: components["responses"]["StorageFull"];
        };
    };
    deleteAdminAccessTokensById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The token belongs to a user with more rights */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No such token */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            507: components["responses"]["StorageFull"];
        };
    };
    getAdminUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The users that share a site with the caller */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        users: {
                            id: string;
                            email: string;
                            name: string;
                            /** @enum {string} */
                            role: "admin" | "editor" | "author" | "viewer";
                            siteRole: string | null;
                            zoom: number;
                            sites: "*" | string[];
                            /** Format: date-time */
                            createdAt: string;
                            suspended: boolean;
                            /**
                             * @description until the invitation is accepted
                             * @constant
                             */
                            invited?: true;
                            /**
                             * @description if the user signs in with a code
                             * @constant
                             */
                            oneTimeCodes?: true;
                            /**
                             * @description if the user signs in through the OpenID provider
                             * @constant
                             */
                            provider?: true;
                            /** @description null if no use is known, or if the user has more rights than the caller */
                            lastSeenAt: string | null;
                            /** @description a session of the user is open; false if the user has more rights than the caller */
                            signedIn: boolean;
                            /** @description false if the user has more rights than the caller */
                            manageable: boolean;
                            /**
                             * @description the user cannot be removed, suspended or given fewer rights
                             * @constant
                             */
                            lastAdmin?: true;
                        }[];
                        total: number;
                        /**
                         * @description there are users whom the caller does not see; the caller adds people by mailed invitations
                         * @constant
                         */
                        invitesOnly?: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    postAdminUsers: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    name: string;
                    /** @enum {string} */
                    role: "admin" | "editor" | "author" | "viewer";
                    sites?: "*" | string[];
                    password?: string;
                };
            };
        };
        responses: {
            /** @description The user; with the generated password if none was given */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        email: string;
                        name: string;
                        /** @enum {string} */
                        role: "admin" | "editor" | "author" | "viewer";
                        siteRole: string | null;
                        zoom: number;
                        sites: "*" | string[];
                        /** Format: date-time */
                        createdAt: string;
                        suspended: boolean;
                        /**
                         * @description until the invitation is accepted
                         * @constant
                         */
                        invited?: true;
                        /**
                         * @description if the user signs in with a code
                         * @constant
                         */
                        oneTimeCodes?: true;
                        /**
                         * @description if the user signs in through the OpenID provider
                         * @constant
                         */
                        provider?: true;
                        /** @description null if no use is known, or if the user has more rights than the caller */
                        lastSeenAt: string | null;
                        /** @description a session of the user is open; false if the user has more rights than the caller */
                        signedIn: boolean;
                        /** @description false if the user has more rights than the caller */
                        manageable: boolean;
                        /**
                         * @description the user cannot be removed, suspended or given fewer rights
                         * @constant
                         */
                        lastAdmin?: true;
                        password?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description There are users whom the caller does not see: invite the person instead */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description The e-mail is taken */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            507: components["responses"]["StorageFull"];
        };
    };
    deleteAdminUsersById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed, with their access tokens */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description No such user */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The last admin cannot be removed */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            507: components["responses"]["StorageFull"];
        };
    };
    patchAdminUsersById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email?: string;
                    name?: string;
                    /** @enum {string} */
                    role?: "admin" | "editor" | "author" | "viewer";
                    sites?: "*" | string[];
                    password?: string;
                    suspended?: boolean;
                };
            };
        };
        responses: {
            /** @description The user */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        email: string;
                        name: string;
                        /** @enum {string} */
                        role: "admin" | "editor" | "author" | "viewer";
                        siteRole: string | null;
                        zoom: number;
                        sites: "*" | string[];
                        /** Format: date-time */
                        createdAt: string;
                        suspended: boolean;
                        /**
                         * @description until the invitation is accepted
                         * @constant
                         */
                        invited?: true;
                        /**
                         * @description if the user signs in with a code
                         * @constant
                         */
                        oneTimeCodes?: true;
                        /**
                         * @description if the user signs in through the OpenID provider
                         * @constant
                         */
                        provider?: true;
                        /** @description null if no use is known, or if the user has more rights than the caller */
                        lastSeenAt: string | null;
                        /** @description a session of the user is open; false if the user has more rights than the caller */
                        signedIn: boolean;
                        /** @description false if the user has more rights than the caller */
                        manageable: boolean;
                        /**
                         * @description the user cannot be removed, suspended or given fewer rights
                         * @constant
                         */
                        lastAdmin?: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description No such user */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description The last admin cannot be changed; or the e-mail is taken */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            507: components["responses"]["StorageFull"];
        };
    };
    postAuthReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                    password: string;
                    name?: string;
                } | {
                    email: string;
                };
            };
        };
        responses: {
            /** @description With `email`: the same answer for every address; an address with an account is mailed a link that is valid for 30 minutes. With `token` and `password`: the password is set, every session has ended, and `tokens` lists the access tokens that remain valid */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                        email: string;
                        name: string;
                        /** @description after a new password: the access tokens that remain valid */
                        tokens?: {
                            id: string;
                            name: string;
                            masked: string;
                        }[];
                    } | {
                        ok: boolean;
                    };
                };
            };
            /** @description Invalid input; or the link was used or replaced, or is too old */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            /** @description An invitation, and the address has an account already */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too many links requested from this address; see Retry-After */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            500: components["responses"]["InternalError"];
            507: components["responses"]["StorageFull"];
        };
    };
    postAuthEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                };
            };
        };
        responses: {
            /** @description The account has the new address */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                        email: string;
                        name: string;
                    };
                };
            };
            /** @description The link was used or replaced, or is too old */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            /** @description The address was taken meanwhile */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            507: components["responses"]["StorageFull"];
        };
    };
    postAdminUsersInvite: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    name?: string;
                    /** @enum {string} */
                    role: "admin" | "editor" | "author" | "viewer";
                    sites?: "*" | string[];
                };
            };
        };
        responses: {
            /** @description The user; with the link if mail is not set up */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        email: string;
                        name: string;
                        /** @enum {string} */
                        role: "admin" | "editor" | "author" | "viewer";
                        siteRole: string | null;
                        zoom: number;
                        sites: "*" | string[];
                        /** Format: date-time */
                        createdAt: string;
                        suspended: boolean;
                        /**
                         * @description until the invitation is accepted
                         * @constant
                         */
                        invited?: true;
                        /**
                         * @description if the user signs in with a code
                         * @constant
                         */
                        oneTimeCodes?: true;
                        /**
                         * @description if the user signs in through the OpenID provider
                         * @constant
                         */
                        provider?: true;
                        /** @description null if no use is known, or if the user has more rights than the caller */
                        lastSeenAt: string | null;
                        /** @description a session of the user is open; false if the user has more rights than the caller */
                        signedIn: boolean;
                        /** @description false if the user has more rights than the caller */
                        manageable: boolean;
                        /**
                         * @description the user cannot be removed, suspended or given fewer rights
                         * @constant
                         */
                        lastAdmin?: true;
                        /** @description the link to hand over, if mail is not set up */
                        inviteUrl?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            /** @description The address belongs to a user whom the caller sees, and who has a password */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            /** @description It is not configured where links lead: set CMS_PUBLIC_URL; or mail is not set up, and there are users whom the caller does not see */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            507: components["responses"]["StorageFull"];
        };
    };
    postAdminUsersByIdPasswordLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link is on its way, or in the answer if mail is not set up */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the link to hand over, if mail is not set up */
                        url?: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description No such user */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The user is suspended, or signs in through the OpenID provider */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            /** @description It is not configured where links lead: set CMS_PUBLIC_URL */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            507: components["responses"]["StorageFull"];
        };
    };
    postAdminProfileOneTimeCodes: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    currentPassword: string;
                };
            };
        };
        responses: {
            /** @description The secret; sign-in asks for no code until one of its codes confirms it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description base 32 */
                        secret: string;
                        /** @description `otpauth://`, for a QR code */
                        uri: string;
                    };
                };
            };
            /** @description The current password is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            /** @description Codes are on */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            507: components["responses"]["StorageFull"];
        };
    };
    deleteAdminProfileOneTimeCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    currentPassword: string;
                    code: string;
                };
            };
        };
        responses: {
            /** @description Off */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                    };
                };
            };
            /** @description The current password or the code is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            /** @description Codes are off */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            507: components["responses"]["StorageFull"];
        };
    };
    postAdminProfileOneTimeCodesConfirm: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code: string;
                };
            };
        };
        responses: {
            /** @description On; the recovery codes, shown only this once */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        recoveryCodes: string[];
                    };
                };
            };
            /** @description The code is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            /** @description No secret was requested in the last 30 minutes, or codes are on */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            507: components["responses"]["StorageFull"];
        };
    };
    deleteAdminUsersByIdOneTimeCodes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Off */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: boolean;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description No such user */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            507: components["responses"]["StorageFull"];
        };
    };
    getAuthMethods: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What a sign-in page offers */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        password: boolean;
                        /** @description true if a new password can be requested by mail */
                        reset: boolean;
                        openId: {
                            name: string;
                            url: string;
                        } | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getAuthOidc: {
        parameters: {
            query?: {
                /** @description the path to go to afterwards; `/admin` or below */
                next?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Redirect to the provider */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            /** @description No provider is set up */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            /** @description The provider cannot be reached */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getAuthOidcCallback: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed in; sets the session cookie */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description This browser did not begin the sign-in, or the answer of the provider is not valid */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The provider gives the person no role here, or does not vouch for enough to link the account */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description No provider is set up */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            /** @description The provider cannot be reached */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getAdminSites: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sites that the caller has access to */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sites: {
                            id: string;
                            org: string;
                            configPath: string;
                            hosts: string[];
                            /** @description anonymous requests that name no site get it, at a host that belongs to no site */
                            default: boolean;
                            /**
                             * Format: date-time
                             * @description absent if the site was there from the start
                             */
                            addedAt?: string;
                        }[];
                        total: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    postAdminSites: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for five minutes while the service runs */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: string;
                    configPath: string;
                    /** @description "default" if absent */
                    org?: string;
                    hosts?: string[];
                };
            };
        };
        responses: {
            /** @description The site */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        org: string;
                        configPath: string;
                        hosts: string[];
                        /** @description anonymous requests that name no site get it, at a host that belongs to no site */
                        default: boolean;
                        /**
                         * Format: date-time
                         * @description absent if the site was there from the start
                         */
                        addedAt?: string;
                    };
                };
            };
            /** @description There is no valid configuration at that path below `CMS_SITES_DIR` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            /** @description The id or a host is taken */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            507: components["responses"]["StorageFull"];
        };
    };
}
