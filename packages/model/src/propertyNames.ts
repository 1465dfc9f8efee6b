/**
 * Names of properties that objects of Active Directory and Entra ID have, from collectors and from analysis. A similar but different name
 * in a query is most likely misspelled.
 *
 * Rule: `docs/reference/collections.md`.
 */
import { COLLECTOR_FIELDS } from './collectorFields.ts';

/** Properties that no rule reads, and properties that the graph computes. */
const OTHERS = `
objectid name owned highvalue system_tags lastseen lastcollected domain displayname email title homedirectory type objectguid
serviceprincipalnames useraccountcontrol samaccounttype lastlogonreplicated whenchanged dnshostname operatingsystemname
operatingsystemversion operatingsystemservicepack description department company manager mail telephonenumber userprincipalname
hassidhistory allowedtodelegateto resourcebaseddelegation unconstraineddelegation passwordcantchange passwordexpired lockedout
accountexpires logoncount badpwdcount badpasswordtime primarygroupsid pwdhistorylength pwdproperties minpwdage maxpwdage lockoutduration
lockoutobservationwindow expirepasswordsonsmartcardonlyaccounts doesanyacegrantownerrights doesanyinheritedacegrantownerrights ownersid
isaclprotected gpcpath gpostatus versionnumber caname certname casecuritycollected certificatenameflag enrollmentflag ekus
effectiveekus certificateapplicationpolicy certificatepolicy validityperiod renewalperiod oid basicconstraintpathlength hasbasicconstraints
subjectaltrequireemail subjectrequireemail crosscertificatepair groupsid grouplinkid trusttype trustattributes trustdirection
sidfilteringenabled tgtdelegationenabled istransitive ldapenabled smbinfo ntlmrestriction restrictsendingntlmtraffic
restrictreceivingntmltraffic restrictreceivingntlmtraffic clientallowedntlmservers lsaprotected netlogonsecure sitename groupscope grouptype
isdeleted isrecycled lastknownparent msds-isrodc msds-supportedencryptiontypes localgroups isprimarygroup
tenantid tenantname appid appdisplayname appownerorganizationid appownertenantid approleid signinaudience publisherdomain usertype
onpremid onpremisesimmutableid onpremisessecurityidentifier onpremsyncenabled onpremisessyncenabled immutableid deviceid 
operatingsystem mdmappid iscompliant ismanaged profiletype accountenabled createddatetime deleteddatetime lastpasswordchangedatetime
securityenabled securityidentifier mailenabled mailnickname isassignabletorole membershiprule membershiprulestate grouptypes visibility
isbuiltin templateid resourceprovisioningoptions passwordpolicies preferredlanguage jobtitle serviceprincipaltype serviceprincipalid
approleassignmentrequired disabledbymicrosoftstatus keycredentials passwordcredentials license logintype
homepage loginurl logouturl replyurls tags federatedidentitycredentials resourcegroupid resourcegroupname subscriptionid subscriptionname
enablerbacauthorization vaulturi noderesourcegroupid identity principalid managementgroupid scope ishybrid
verifieddomains defaultdomain tenantcategory collectedat collected environmentid source_kind
`;

export const PROPERTY_NAMES: ReadonlySet<string> = new Set([
  ...COLLECTOR_FIELDS.map(({ field }) => field),
  ...OTHERS.split(/\s+/).filter((name) => name !== ''),
]);
